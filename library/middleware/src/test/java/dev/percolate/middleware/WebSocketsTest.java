package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ConnectionSummary;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.Frame;
import dev.percolate.http.Utf8;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestWebSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class WebSocketsTest extends WebSocketTrial {

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#waiting")
  void textAndBinaryMessagesAreSentAndReceivedInEveryThreadMode(ThreadMode mode) {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      TestWebSocket socket = client(mode, step).webSocket("/");
      assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", socket.head().header("Sec-WebSocket-Accept"));
      assertEquals("websocket", socket.head().header("Upgrade"));
      socket.send("one").send(new byte[] {0, -1}).send("").send("ü€😀");
      assertEquals("one", socket.text());
      assertArrayEquals(new byte[] {0, -1}, socket.bytes());
      assertEquals("", socket.text());
      assertEquals("ü€😀", socket.text());
      socket.close(1000, "bye");
      assertEquals(1000, socket.closeCode());
      socket.awaitEnd();
    }
  }

  @Test
  void aSocketHasItsRequestWithAttributes() {
    Key<String> user = Key.of("user", String.class);
    Middleware guard =
        (req, res, next) -> {
          req.attr(user, "ann");
          next.run();
        };
    TestWebSocket socket =
        socket(
            guard,
            WebSockets.of(
                socketOf -> socketOf.send(socketOf.req().attr(user) + socketOf.req().path())));
    assertEquals("ann/rooms/1", socket.text());
    assertEquals(1000, socket.closeCode());
    socket.close(1000, "");
    socket.awaitEnd();
  }

  @Test
  void theEndOfAHandlerClosesWith1000AndItsFailureWith1011() {
    TestWebSocket over = socket(WebSockets.of(socket -> {}));
    assertEquals(1000, over.closeCode());
    over.close(1000, "").awaitEnd();
    TestWebSocket failed =
        socket(
            WebSockets.of(
                socket -> {
                  throw new IllegalStateException("as asked for");
                }));
    assertEquals(1011, failed.closeCode());
    failed.disconnect();
    TestWebSocket called =
        socket(
            WebSockets.callbacks()
                .onText(
                    (socket, text) -> {
                      throw new IOException("as asked for");
                    }));
    called.send("x");
    assertEquals(1011, called.closeCode());
    called.disconnect();
  }

  @Test
  void aCloseFrameGetsTheSameCodeInReturn() throws Exception {
    for (int code : new int[] {1000, 1001, 3000, 4999}) {
      BlockingQueue<String> ends = new LinkedBlockingQueue<>();
      TestWebSocket socket =
          socket(CALLED.onClose((it, with, reason) -> ends.add(with + " " + reason)));
      socket.close(code, "why");
      assertEquals(code, socket.closeCode());
      socket.awaitEnd();
      assertEquals(code + " why", ends.poll(10, TimeUnit.SECONDS));
    }
    TestWebSocket none = socket(CALLED);
    none.frame(8, true, new byte[0]);
    assertEquals(1000, none.closeCode());
  }

  @Test
  void aDisconnectEndsTheHandlerWithCode1006() throws Exception {
    for (ThreadMode mode : Modes.waiting()) {
      CompletableFuture<String> end = new CompletableFuture<>();
      TestWebSocket socket =
          client(
                  mode,
                  WebSockets.of(
                      it -> {
                        it.send("begun");
                        for (String text : it.texts()) {
                          it.send(text);
                        }
                        end.complete(it.closeCode() + " " + it.isOpen());
                      }))
              .webSocket("/");
      assertEquals("begun", socket.text());
      socket.disconnect();
      assertEquals("1006 false", end.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void aHandlerThatOnlySendsRespondsToPingsAndClose() throws Exception {
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    TestWebSocket socket =
        socket(
            WebSockets.of(
                it -> {
                  try {
                    while (true) {
                      it.send("tick");
                      Thread.sleep(1);
                    }
                  } catch (IOException e) {
                    gone.complete(true);
                    throw e;
                  }
                }));
    assertEquals("tick", socket.text());
    assertEquals("a", socket.ping("a").pong());
    socket.close(1000, "");
    assertTrue(gone.get(10, TimeUnit.SECONDS));
    assertEquals(1000, socket.closeCode());
  }

  @Test
  void pingsGetPongsInOrder() {
    TestWebSocket socket = socket(CALLED);
    for (int i = 0; i < 10; i++) {
      socket.ping("p" + i);
    }
    for (int i = 0; i < 10; i++) {
      assertEquals("p" + i, socket.pong());
    }
    socket.disconnect();
  }

  @Test
  void unsupportedTypesOfMessagesCloseWith1003() {
    TestWebSocket socket =
        socket(
            WebSockets.of(
                it -> {
                  for (String text : it.texts()) {
                    it.send(text);
                  }
                }));
    socket.send("a").send(new byte[1]);
    assertEquals("a", socket.text());
    assertEquals(1003, socket.closeCode());
    TestWebSocket texts = socket(WebSockets.callbacks().onBinary((it, bytes) -> {}));
    texts.send("a");
    assertEquals(1003, texts.closeCode());
    TestWebSocket bytes = socket(WebSockets.callbacks().onText((it, text) -> {}));
    bytes.send(new byte[1]);
    assertEquals(1003, bytes.closeCode());
  }

  @Test
  void tooLongMessagesAndFramesCloseWith1009() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      TestWebSocket most = socket(step);
      most.send("x".repeat(64 << 10));
      assertEquals(64 << 10, most.text().length());
      most.send("x".repeat((64 << 10) + 1));
      assertEquals(1009, most.closeCode());
      TestWebSocket fragments = socket(step.maxMessageSize("10b"));
      fragments.frame(1, false, new byte[6]).frame(0, true, new byte[5]);
      assertEquals(1009, fragments.closeCode());
      TestWebSocket frame = socket(step.maxFrameSize("4b"));
      frame.frame(1, false, new byte[4]).frame(0, true, new byte[5]);
      assertEquals(1009, frame.closeCode());
    }
  }

  @Test
  void protocolErrorsCloseWithTheirCodes() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      TestWebSocket unmasked = socket(step);
      unmasked.raw(new byte[] {(byte) 0x81, 1, 'a'});
      assertEquals(1002, unmasked.closeCode());
      assertEquals("frame must be masked", unmasked.closeReason());
      TestWebSocket text = socket(step);
      text.frame(1, true, new byte[] {(byte) 0xC0});
      assertEquals(1007, text.closeCode());
    }
  }

  @Test
  void messagesAreReceivedAndSentAsStreams() {
    WebSockets step =
        WebSockets.of(
                socket -> {
                  for (MessageStream message : socket.streams()) {
                    if (message.isText()) {
                      try (Writer out = socket.textWriter()) {
                        message.reader().transferTo(out);
                      }
                    } else {
                      try (OutputStream out = socket.binaryStream()) {
                        message.transferTo(out);
                      }
                    }
                  }
                })
            .maxMessageSize("10mb");
    for (String extensions : new String[] {"", "permessage-deflate"}) {
      Call call = Call.get("/");
      Call asking =
          extensions.isEmpty() ? call : call.header("Sec-WebSocket-Extensions", extensions);
      TestWebSocket socket = client(ThreadMode.ofThisJdk(), step).webSocket(asking);
      String text = "0123456789ü€😀".repeat(40_000);
      socket.send(text).send("").send(new byte[100_000]);
      assertEquals(text, socket.text());
      assertEquals("", socket.text());
      assertEquals(100_000, socket.bytes().length);
      socket.close(1000, "");
      assertEquals(1000, socket.closeCode());
      socket.awaitEnd();
    }
  }

  @Test
  void theRestOfAStreamIsSkipped() {
    TestWebSocket socket =
        socket(
            WebSockets.of(
                it -> {
                  for (MessageStream message : it.streams()) {
                    it.send("" + (char) message.read());
                  }
                }));
    socket.send("abc").frame(1, false, new byte[] {'d'}).frame(0, true, new byte[] {'e'}).send("f");
    assertEquals("a", socket.text());
    assertEquals("d", socket.text());
    assertEquals("f", socket.text());
    socket.disconnect();
  }

  @Test
  void otherMessagesWaitForAFragmentedMessage() throws Exception {
    CompletableFuture<WebSocket> begun = new CompletableFuture<>();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    TestWebSocket socket =
        socket(
            WebSockets.of(
                it -> {
                  try (OutputStream out = it.binaryStream()) {
                    out.write('a');
                    out.flush();
                    begun.complete(it);
                    goOn.get(10, TimeUnit.SECONDS);
                    out.write('b');
                  }
                  it.receive();
                }));
    WebSocket other = begun.get(10, TimeUnit.SECONDS);
    WebSocketGroup group = new WebSocketGroup();
    group.join(other);
    group.send("from a group");
    Thread sender =
        new Thread(
            () -> {
              try {
                other.send("from elsewhere");
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    sender.start();
    assertEquals("x", socket.ping("x").pong());
    goOn.complete(null);
    assertArrayEquals(new byte[] {'a', 'b'}, socket.bytes());
    List<String> both = List.of(socket.text(), socket.text());
    assertEquals(Set.of("from a group", "from elsewhere"), Set.copyOf(both));
    socket.disconnect();
  }

  @Test
  void messagesAreCompressedForClientsThatSupportIt() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
      TestWebSocket socket = client(ThreadMode.ofThisJdk(), step).webSocket(call);
      assertEquals(
          "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
          socket.head().header("Sec-WebSocket-Extensions"));
      socket.send("x".repeat(60_000)).send("y").send("").send(new byte[1000]);
      assertEquals("x".repeat(60_000), socket.text());
      assertEquals("y", socket.text());
      assertEquals("", socket.text());
      assertEquals(1000, socket.bytes().length);
      socket.disconnect();
    }
    Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
    Reply without = client(ThreadMode.ofThisJdk(), ECHO.compression(false)).webSocket(call).head();
    assertNull(without.header("Sec-WebSocket-Extensions"));
  }

  @Test
  void decompressedMessagesAreLimitedAndChecked() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      for (String what : List.of("bomb", "text", "garbage")) {
        Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
        TestWebSocket socket = client(ThreadMode.ofThisJdk(), step).webSocket(call);
        socket.head();
        switch (what) {
          case "bomb" -> socket.send(new byte[50 << 20]);
          case "text" -> socket.raw(compressedText(new byte[] {(byte) 0xC0, (byte) 0x80}));
          default -> socket.raw(new byte[] {(byte) 0xC1, (byte) 0x81, 0, 0, 0, 0, 7});
        }
        assertEquals(what.equals("bomb") ? 1009 : 1007, socket.closeCode(), what);
      }
    }
  }

  private static byte[] compressedText(byte[] bytes) {
    byte[] payload = dev.percolate.http.MessageDeflater.whole(bytes);
    java.nio.ByteBuffer frame = dev.percolate.http.Frame.masked(1, true, true, 0, payload);
    byte[] all = new byte[frame.remaining()];
    frame.get(all);
    return all;
  }

  @Test
  void onClosingGetsTheCountsOfBothDirections() throws Exception {
    CompletableFuture<ConnectionSummary> closing = new CompletableFuture<>();
    Middleware logger =
        (req, res, next) -> {
          res.onFinish(
              () -> {
                assertEquals(101, res.status());
                res.onConnectionClose(closing::complete);
              });
          next.run();
        };
    TestWebSocket socket = socket(logger, CALLED);
    socket.send("abc").send(new byte[2]);
    assertEquals("abc", socket.text());
    socket.bytes();
    socket.close(1000, "bye");
    socket.awaitEnd();
    ConnectionSummary how = closing.get(10, TimeUnit.SECONDS);
    assertEquals(new ConnectionSummary(1000, "bye", 2, 2, 9 + 8 + 11, 5 + 4 + 7), how);
  }

  @Test
  void manyMessagesArriveOnceAndInOrder() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      TestWebSocket socket = socket(step);
      int count = 10_000;
      for (int i = 0; i < count; i++) {
        socket.send(Integer.toString(i));
      }
      for (int i = 0; i < count; i++) {
        assertEquals(Integer.toString(i), socket.text());
      }
      socket.disconnect();
    }
  }

  @DisplayName("WS-13: no message is lost when reading pauses and resumes")
  @ParameterizedTest(name = "{0}")
  @MethodSource("dev.percolate.middleware.Modes#waiting")
  void noMessageIsLostWhenReadingPausesAndResumes(ThreadMode mode) throws Exception {
    int rounds = 500;
    int count = 100;
    CompletableFuture<String> end = new CompletableFuture<>();
    WebSockets counts =
        WebSockets.of(
            socket -> {
              int next = 0;
              for (String text : socket.texts()) {
                int found = Integer.parseInt(text.strip());
                if (found != next++) {
                  end.complete("message " + found + " for " + (next - 1));
                }
                if (next % count == 0) {
                  socket.send("more");
                }
              }
              end.complete(next + " messages, " + socket.closeCode());
            });
    TestWebSocket socket = client(mode, counts).webSocket("/");
    for (int i = 0; i < rounds * count && !end.isDone(); i += count) {
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      for (int j = i; j < i + count; j++) {
        String text = " ".repeat(j * 7 % 2000) + j; // more than fits into the queue
        frames.writeBytes(Frame.masked(1, true, false, j, Utf8.bytes(text)).array());
      }
      socket.raw(frames.toByteArray());
      if (!end.isDone()) {
        assertEquals("more", socket.text());
      }
    }
    socket.close(1000, "");
    assertEquals(rounds * count + " messages, 1000", end.get(60, TimeUnit.SECONDS));
    socket.disconnect();
  }

  @Test
  void aPartialMessageIsReleasedWithItsSocket() {
    TestWebSocket socket = socket(CALLED);
    socket.frame(1, false, new byte[40 << 10]).ping("x");
    assertEquals("x", socket.pong());
    socket.disconnect();
  }

  @Test
  void aGroupSendsInTheSameOrderAndClosesSlowSockets() throws Exception {
    WebSocketGroup group = new WebSocketGroup();
    BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    Client client =
        client(
            ThreadMode.ofThisJdk(),
            WebSockets.callbacks().onOpen(group::join).onClose((it, code, why) -> ends.add(code)));
    TestWebSocket one = client.webSocket("/");
    TestWebSocket two = client.webSocket("/");
    TestWebSocket slow = client.webSocket("/");
    two.head();
    one.head();
    slow.head();
    await(() -> group.size() == 3);
    group.send("a");
    group.send(new byte[] {7});
    assertEquals("a", one.text());
    assertEquals("a", two.text());
    assertArrayEquals(new byte[] {7}, two.bytes());
    assertEquals("a", slow.text());
    slow.pause();
    for (int i = 0; i < 400; i++) {
      group.send("x".repeat(4096) + i);
      assertTrue(one.text().endsWith("x" + i));
    }
    slow.resume();
    assertEquals(1013, slow.closeCode());
    slow.disconnect();
    two.disconnect();
    await(() -> group.size() == 1);
    one.disconnect();
  }

  @Test
  void invalidOptionsAreRejected() {
    assertEquals(
        "maxMessageSize must be a size such as \"100kb\", was \"10 bananas\"",
        Played.rejection(() -> ECHO.maxMessageSize("10 bananas")));
    assertEquals(
        "maxFrameSize must be a size such as \"100kb\", was \"x\"",
        Played.rejection(() -> ECHO.maxFrameSize("x")));
    assertEquals(
        "pingInterval \"0\" must be positive", Played.rejection(() -> ECHO.pingInterval("0")));
    assertEquals(
        "idleTimeout must be a time such as \"2 hours\", was \"never\"",
        Played.rejection(() -> ECHO.idleTimeout("never")));
    assertEquals(
        "maxPerClient must be at least 1, was 0", Played.rejection(() -> ECHO.maxPerClient(0)));
    assertEquals(
        "origin \"example.com\" must be an origin such as https://example.com",
        Played.rejection(() -> ECHO.origins("example.com")));
    assertEquals("protocol \"a b\" must be a token", Played.rejection(() -> ECHO.protocols("a b")));
    assertThrows(IllegalStateException.class, () -> ECHO.onText((socket, text) -> {}));
  }
}
