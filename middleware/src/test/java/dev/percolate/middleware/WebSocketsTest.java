package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Closing;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.SocketTalk;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class WebSocketsTest {

  private static final WebSockets ECHO =
      WebSockets.of(
          socket -> {
            for (WebSocketMessage message : socket.messages()) {
              if (message.isText()) {
                socket.send(message.text());
              } else {
                socket.send(message.bytes());
              }
            }
          });

  private static final WebSockets CALLED =
      WebSockets.on().text(WebSocket::send).binary(WebSocket::send);

  private final Lint lint = new Lint();
  private final List<MemoryEngine> engines = new ArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void endAll() throws Exception {
    for (AutoCloseable one : open) {
      one.close();
    }
    lint.check();
    engines.forEach(MemoryEngine::close);
  }

  private Client client(ThreadMode mode, Middleware... steps) {
    MemoryEngine engine = new MemoryEngine(mode);
    engines.add(engine);
    List<Middleware> watched = new ArrayList<>();
    for (Middleware step : steps) {
      watched.add(lint.around(step));
    }
    watched.add(Played.SHOWN);
    Settings settings = new Settings();
    Client client =
        engine.client(lint.service(Chain.service(settings, watched.toArray(Middleware[]::new))));
    open.add(client);
    return client;
  }

  private SocketTalk socket(Middleware... steps) {
    return client(ThreadMode.ofThisJdk(), steps).webSocket("/rooms/1");
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void messagesOfBothKindsGoBothWaysInEveryThreadMode(ThreadMode mode) {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      SocketTalk socket = client(mode, step).webSocket("/");
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
  void theRequestIsThereWithWhatStepsHavePutOnIt() {
    Key<String> user = Key.of("user", String.class);
    Middleware guard =
        (req, res, next) -> {
          req.attr(user, "ann");
          next.run();
        };
    SocketTalk socket =
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
  void theEndOfTheHandlerClosesNormallyAndItsFailureWith1011() {
    SocketTalk over = socket(WebSockets.of(socket -> {}));
    assertEquals(1000, over.closeCode());
    over.close(1000, "").awaitEnd();
    SocketTalk failed =
        socket(
            WebSockets.of(
                socket -> {
                  throw new IllegalStateException("as asked for");
                }));
    assertEquals(1011, failed.closeCode());
    failed.hangUp();
    SocketTalk called =
        socket(
            WebSockets.on()
                .text(
                    (socket, text) -> {
                      throw new IOException("as asked for");
                    }));
    called.send("x");
    assertEquals(1011, called.closeCode());
    called.hangUp();
  }

  @Test
  void aCloseIsAnsweredByTheSameCode() throws Exception {
    for (int code : new int[] {1000, 1001, 3000, 4999}) {
      BlockingQueue<String> ends = new LinkedBlockingQueue<>();
      SocketTalk socket = socket(CALLED.close((it, with, reason) -> ends.add(with + " " + reason)));
      socket.close(code, "why");
      assertEquals(code, socket.closeCode());
      socket.awaitEnd();
      assertEquals(code + " why", ends.poll(10, TimeUnit.SECONDS));
    }
    SocketTalk none = socket(CALLED);
    none.frame(8, true, new byte[0]);
    assertEquals(1000, none.closeCode());
  }

  @Test
  void aHangUpEndsTheLoopAndIsTold() throws Exception {
    for (ThreadMode mode : ThreadMode.values()) {
      CompletableFuture<String> end = new CompletableFuture<>();
      SocketTalk socket =
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
      socket.hangUp();
      assertEquals("1006 false", end.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void aHandlerThatOnlySendsAnswersPingsAndLearnsOfTheEnd() throws Exception {
    CompletableFuture<Boolean> gone = new CompletableFuture<>();
    SocketTalk socket =
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
  void eachPingIsAnsweredInOrder() {
    SocketTalk socket = socket(CALLED);
    for (int i = 0; i < 10; i++) {
      socket.ping("p" + i);
    }
    for (int i = 0; i < 10; i++) {
      assertEquals("p" + i, socket.pong());
    }
    socket.hangUp();
  }

  @Test
  void bytesWhereTextsAreTakenCloseWith1003() {
    SocketTalk socket =
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
    SocketTalk texts = socket(WebSockets.on().binary((it, bytes) -> {}));
    texts.send("a");
    assertEquals(1003, texts.closeCode());
    SocketTalk bytes = socket(WebSockets.on().text((it, text) -> {}));
    bytes.send(new byte[1]);
    assertEquals(1003, bytes.closeCode());
  }

  @Test
  void longMessagesAndFramesCloseWith1009() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      SocketTalk most = socket(step);
      most.send("x".repeat(64 << 10));
      assertEquals(64 << 10, most.text().length());
      most.send("x".repeat((64 << 10) + 1));
      assertEquals(1009, most.closeCode());
      SocketTalk fragments = socket(step.maxMessage("10b"));
      fragments.frame(1, false, new byte[6]).frame(0, true, new byte[5]);
      assertEquals(1009, fragments.closeCode());
      SocketTalk frame = socket(step.maxFrame("4b"));
      frame.frame(1, false, new byte[4]).frame(0, true, new byte[5]);
      assertEquals(1009, frame.closeCode());
    }
  }

  @Test
  void whatIsNoProtocolClosesWithItsCode() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      SocketTalk unmasked = socket(step);
      unmasked.raw(new byte[] {(byte) 0x81, 1, 'a'});
      assertEquals(1002, unmasked.closeCode());
      assertEquals("a frame that is not masked", unmasked.closeReason());
      SocketTalk text = socket(step);
      text.frame(1, true, new byte[] {(byte) 0xC0});
      assertEquals(1007, text.closeCode());
    }
  }

  @Test
  void messagesComeAndGoAsStreams() {
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
            .maxMessage("10mb");
    for (String extensions : new String[] {"", "permessage-deflate"}) {
      Call call = Call.get("/");
      Call asking =
          extensions.isEmpty() ? call : call.header("Sec-WebSocket-Extensions", extensions);
      SocketTalk socket = client(ThreadMode.ofThisJdk(), step).webSocket(asking);
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
  void whatIsLeftOfAStreamIsSkipped() {
    SocketTalk socket =
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
    socket.hangUp();
  }

  @Test
  void othersWaitWhileAMessageGoesOutInFragments() throws Exception {
    CompletableFuture<WebSocket> begun = new CompletableFuture<>();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    SocketTalk socket =
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
    socket.hangUp();
  }

  @Test
  void messagesAreCompressedForClientsThatCanInflate() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
      SocketTalk socket = client(ThreadMode.ofThisJdk(), step).webSocket(call);
      assertEquals(
          "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
          socket.head().header("Sec-WebSocket-Extensions"));
      socket.send("x".repeat(60_000)).send("y").send("").send(new byte[1000]);
      assertEquals("x".repeat(60_000), socket.text());
      assertEquals("y", socket.text());
      assertEquals("", socket.text());
      assertEquals(1000, socket.bytes().length);
      socket.hangUp();
    }
    Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
    Reply without = client(ThreadMode.ofThisJdk(), ECHO.compression(false)).webSocket(call).head();
    assertNull(without.header("Sec-WebSocket-Extensions"));
  }

  @Test
  void whatIsInflatedIsBoundedAndChecked() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      for (String what : List.of("bomb", "text", "garbage")) {
        Call call = Call.get("/").header("Sec-WebSocket-Extensions", "permessage-deflate");
        SocketTalk socket = client(ThreadMode.ofThisJdk(), step).webSocket(call);
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
  void aHandshakeThatIsNoneIsRefused() {
    assertRefused(426, "", Call.get("/"));
    Call call = Call.get("/");
    assertRefused(426, "7", call.header("Sec-WebSocket-Version", "7"), true);
    assertRefused(
        400,
        "",
        call.header("Sec-WebSocket-Version", "13").header("Sec-WebSocket-Version", "13"),
        true);
    for (String key :
        List.of(
            "",
            "x",
            "dGhlIHNhbXBsZSBub25jZQ=",
            "dGhlIHNhbXBsZSBub25jZQ!=",
            "dGhlIHNhbXBsZSBub25jZXg=",
            "AAAA",
            "dGhlIHNhbXBsZSBub25jZQ== ,x")) {
      assertRefused(400, key, call.header("Sec-WebSocket-Key", key), true);
    }
    assertRefused(
        400,
        "twice",
        call.header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
            .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        true);
    assertRefused(400, "", call.header("Connection", "keep-alive"), true);
    assertRefused(400, "", call.header("Connection", "Upgrade, close"), true);
    assertRefused(426, "", call.header("Upgrade", "h2c"), true);
    for (String extensions : List.of(",", "a b", "a;", "a; b=", "a; b=\"x", "a; b=\"a b\"", ";x")) {
      assertRefused(400, extensions, call.header("Sec-WebSocket-Extensions", extensions), true);
    }
    for (String protocols : List.of("a b", "a,,b", "a, a", "(a)")) {
      assertRefused(400, protocols, call.header("Sec-WebSocket-Protocol", protocols), true);
    }
    assertRefused(400, "a body", call.body("x"), true);
    assertRefused(426, "HEAD", Call.head("/"), true);
  }

  private void assertRefused(int status, String what, Call call) {
    assertRefused(status, what, call, false);
  }

  private void assertRefused(int status, String what, Call call, boolean completed) {
    Client client = client(ThreadMode.ofThisJdk(), ECHO);
    Reply reply = completed ? client.webSocket(call).head() : call.to(client);
    assertEquals(status, reply.status(), () -> what + reply);
    if (status == 426) {
      assertEquals("websocket", reply.header("Upgrade"));
      assertEquals("13", reply.header("Sec-WebSocket-Version"));
    }
  }

  @Test
  void headersOfTheHandshakeMayBeInAnyCaseAndOrder() {
    Call call =
        Call.get("/")
            .header("upgrade", "WebSocket")
            .header("connection", "keep-alive, upgrade")
            .header("SEC-WEBSOCKET-VERSION", "13");
    assertEquals(101, client(ThreadMode.ofThisJdk(), ECHO).webSocket(call).head().status());
  }

  @Test
  void pagesOfOtherOriginsBeginNoSockets() {
    assertEquals(403, originStatus(ECHO, "http://evil.example"));
    assertEquals(403, originStatus(ECHO, "null"));
    assertEquals(403, originStatus(ECHO, "http://localhost.evil.example"));
    assertEquals(403, originStatus(ECHO, "http://localhost:81"));
    assertEquals(403, originStatus(ECHO, "http://x@localhost"));
    assertEquals(403, originStatus(ECHO, "file://localhost"));
    assertEquals(403, originStatus(ECHO, ""));
    assertEquals(101, originStatus(ECHO, "http://localhost"));
    assertEquals(101, originStatus(ECHO, "https://LOCALHOST"));
    assertEquals(101, originStatus(ECHO, "http://localhost:80"));
    WebSockets friends = ECHO.origins("https://example.com", "http://other.example:8080");
    assertEquals(101, originStatus(friends, "https://example.com"));
    assertEquals(101, originStatus(friends, "http://other.example:8080"));
    assertEquals(101, originStatus(friends, "http://localhost"));
    assertEquals(403, originStatus(friends, "http://example.com"));
    assertEquals(101, originStatus(ECHO.origins("*"), "http://evil.example"));
    Call twice =
        Call.get("/").header("Origin", "http://localhost").header("Origin", "http://localhost");
    assertEquals(403, client(ThreadMode.ofThisJdk(), ECHO).webSocket(twice).head().status());
  }

  private int originStatus(WebSockets step, String origin) {
    Call call = Call.get("/").header("Origin", origin);
    return client(ThreadMode.ofThisJdk(), step).webSocket(call).head().status();
  }

  @Test
  void theFirstSubprotocolThatIsSpokenIsChosen() {
    WebSockets step =
        WebSockets.of(socket -> socket.send("<" + socket.protocol() + ">")).protocols("b", "c");
    assertEquals("<c>", protocol(step, "a, c, b"));
    assertEquals("<b>", protocol(step, "b"));
    assertEquals("<>", protocol(step, "x"));
    assertEquals("<>", protocol(WebSockets.of(it -> it.send("<" + it.protocol() + ">")), "b"));
  }

  private String protocol(WebSockets step, String offered) {
    Call call = Call.get("/").header("Sec-WebSocket-Protocol", offered);
    SocketTalk socket = client(ThreadMode.ofThisJdk(), step).webSocket(call);
    String chosen = socket.head().header("Sec-WebSocket-Protocol");
    String told = socket.text();
    assertEquals(told, "<" + (chosen == null ? "" : chosen) + ">");
    socket.hangUp();
    return told;
  }

  @Test
  void aClientHasSoManySocketsAtOnce() throws Exception {
    BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    Client client =
        client(
            ThreadMode.ofThisJdk(), CALLED.perClient(2).close((it, code, why) -> ends.add(code)));
    SocketTalk one = client.webSocket("/");
    assertEquals(101, one.head().status());
    assertEquals(101, client.webSocket("/").head().status());
    assertEquals(429, client.webSocket("/").head().status());
    one.close(1000, "");
    assertEquals(1000, ends.poll(10, TimeUnit.SECONDS));
    assertEquals(101, client.webSocket("/").head().status());
  }

  @Test
  void theOtherSideIsAskedWhetherItIsThereAndClosedIfNot() {
    SocketTalk answers = socket(ECHO.ping("10 ms").idle("10 s"));
    answers.awaitPing();
    answers.awaitPing();
    answers.hangUp();
    SocketTalk silent = socket(ECHO.ping("10 s").idle("30 ms"));
    assertEquals(1001, silent.closeCode());
  }

  @Test
  void aSlowClientIsClosedWith1013() throws Exception {
    CompletableFuture<String> end = new CompletableFuture<>();
    SocketTalk socket =
        socket(
            WebSockets.of(
                    it -> {
                      byte[] piece = new byte[32 << 10];
                      try {
                        while (true) {
                          it.send(piece);
                        }
                      } catch (IOException e) {
                        end.complete(it.closeCode() + " " + it.isOpen());
                      }
                    })
                .patience("50 ms"));
    socket.bytes();
    socket.pause();
    assertEquals("1013 false", end.get(10, TimeUnit.SECONDS));
    socket.resume();
    assertEquals(1013, socket.closeCode());
  }

  @Test
  void onAnEventLoopASlowClientIsClosedWhenTooMuchWaits() throws Exception {
    CompletableFuture<Integer> end = new CompletableFuture<>();
    SocketTalk socket =
        client(
                ThreadMode.EVENT_LOOP,
                WebSockets.on()
                    .text(
                        (it, text) -> {
                          for (int i = 0; i < 100; i++) {
                            it.send(new byte[32 << 10]);
                          }
                        })
                    .close((it, code, why) -> end.complete(code)))
            .webSocket("/");
    socket.head();
    socket.pause();
    socket.send("go");
    socket.resume();
    socket.hangUp();
    end.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aServerThatIsClosedClosesSocketsWith1001() throws Exception {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      dev.percolate.testkit.MemoryClient client =
          dev.percolate.testkit.MemoryClient.of(Chain.service(new Settings(), step));
      open.add(client);
      SocketTalk socket = client.webSocket("/");
      socket.send("a");
      assertEquals("a", socket.text());
      client.drain();
      assertEquals(1001, socket.closeCode());
      socket.close(1001, "");
      socket.awaitEnd();
    }
  }

  @Test
  void aSessionThatEndsEndsItsSockets() {
    Middleware sessions = Sessions.of("secret");
    Middleware login =
        (req, res, next) -> {
          req.attr(Sessions.SESSION).put("user", "ann");
          next.run();
        };
    SocketTalk socket =
        socket(
            sessions,
            login,
            WebSockets.on()
                .open(it -> it.closeWith(it.req().attr(Sessions.SESSION)))
                .text((it, text) -> it.req().attr(Sessions.SESSION).destroy()));
    assertTrue(String.valueOf(socket.head().header("Set-Cookie")).startsWith("sid="));
    socket.send("log out");
    assertEquals(1008, socket.closeCode());
    assertEquals("the session has ended", socket.closeReason());
  }

  @Test
  void aSessionThatIsGoneFromItsStoreEndsItsSocketsByTheNextPing() throws Exception {
    MemorySessions store = MemorySessions.of();
    Middleware login =
        (req, res, next) -> {
          req.attr(Sessions.SESSION).put("user", "ann");
          next.run();
        };
    SocketTalk socket =
        socket(
            Sessions.of("secret").store(store),
            login,
            WebSockets.on()
                .open(it -> it.closeWith(it.req().attr(Sessions.SESSION)))
                .text((it, text) -> store.remove(it.req().attr(Sessions.SESSION).id()))
                .ping("20 ms"));
    socket.send("log out elsewhere");
    assertEquals(1008, socket.closeCode());
  }

  @Test
  void theEndIsToldWithWhatWasSentBothWays() throws Exception {
    CompletableFuture<Closing> closing = new CompletableFuture<>();
    Middleware logger =
        (req, res, next) -> {
          res.onFinish(
              () -> {
                assertEquals(101, res.status());
                res.onClosing(closing::complete);
              });
          next.run();
        };
    SocketTalk socket = socket(logger, CALLED);
    socket.send("abc").send(new byte[2]);
    assertEquals("abc", socket.text());
    socket.bytes();
    socket.close(1000, "bye");
    socket.awaitEnd();
    Closing how = closing.get(10, TimeUnit.SECONDS);
    assertEquals(new Closing(1000, "bye", 2, 2, 9 + 8 + 11, 5 + 4 + 7), how);
  }

  @Test
  void manyMessagesArriveOnceAndInOrder() {
    for (WebSockets step : List.of(ECHO, CALLED)) {
      SocketTalk socket = socket(step);
      int count = 10_000;
      for (int i = 0; i < count; i++) {
        socket.send(Integer.toString(i));
      }
      for (int i = 0; i < count; i++) {
        assertEquals(Integer.toString(i), socket.text());
      }
      socket.hangUp();
    }
  }

  @Test
  void aMessageThatIsHalfThereIsForgottenWithItsSocket() {
    SocketTalk socket = socket(CALLED);
    socket.frame(1, false, new byte[40 << 10]).ping("x");
    assertEquals("x", socket.pong());
    socket.hangUp();
  }

  @Test
  void aGroupSendsToAllInTheSameOrderAndDropsTheSlow() throws Exception {
    WebSocketGroup group = new WebSocketGroup();
    BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    Client client =
        client(
            ThreadMode.ofThisJdk(),
            WebSockets.on().open(group::join).close((it, code, why) -> ends.add(code)));
    SocketTalk one = client.webSocket("/");
    SocketTalk two = client.webSocket("/");
    SocketTalk slow = client.webSocket("/");
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
    slow.hangUp();
    two.hangUp();
    await(() -> group.size() == 1);
    one.hangUp();
  }

  private static void await(java.util.function.BooleanSupplier there) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!there.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertTrue(there.getAsBoolean());
  }

  @Test
  void optionsThatAreNoneAreRefused() {
    assertEquals(
        "maxMessage(\"10 bananas\"): not a size",
        Played.refusal(() -> ECHO.maxMessage("10 bananas")));
    assertEquals("maxFrame(\"x\"): not a size", Played.refusal(() -> ECHO.maxFrame("x")));
    assertEquals("ping(\"0\"): must be positive", Played.refusal(() -> ECHO.ping("0")));
    assertEquals("idle(\"never\"): not a time", Played.refusal(() -> ECHO.idle("never")));
    assertEquals("perClient(0): must be positive", Played.refusal(() -> ECHO.perClient(0)));
    assertEquals(
        "origins(\"example.com\"): not an origin such as https://example.com",
        Played.refusal(() -> ECHO.origins("example.com")));
    assertEquals("protocols(\"a b\"): not a token", Played.refusal(() -> ECHO.protocols("a b")));
    assertThrows(IllegalStateException.class, () -> ECHO.text((socket, text) -> {}));
  }
}
