package dev.percolate.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** WebSockets on streams (RFC 8441): handlers, the log, and other streams of the connection. */
@Timeout(30)
final class Rfc8441Test {

  private static final Middleware COUNTS_VISITS =
      (req, res, next) -> {
        Integer before = (Integer) req.attr(Sessions.SESSION).get("visits");
        req.attr(Sessions.SESSION).set("visits", before == null ? 1 : before + 1);
        next.run();
      };

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CompletableFuture<String> slowEnd = new CompletableFuture<>();
  private Server server;
  private FrameClient client;

  @BeforeEach
  void serve() throws IOException {
    App app = new App();
    app.use(
        RequestLogger.of(":method :url HTTP/:http-version :status :ws-close").to(lines::add),
        Sessions.of("secret"),
        COUNTS_VISITS);
    app.get(
        "/rooms/:room", WebSockets.callbacks().onOpen(Rfc8441Test::greet).onText(WebSocket::send));
    app.get("/waiting/:room", WebSockets.of(Rfc8441Test::echo));
    app.get("/unread", WebSockets.of(socket -> released.await(20, TimeUnit.SECONDS)));
    app.get("/flood", WebSockets.of(this::flood).sendTimeout("80 ms"));
    app.get("/page", (req, res) -> res.send("a page"));
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .threads(ThreadMode.ofThisJdk())
            .http2PriorKnowledge(true);
    server = new NioEngine().listen(app, options);
    client = FrameClient.open(server.port(), PeerSettings.INITIAL_WINDOW_SIZE, 16 << 10);
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    server.close();
  }

  private static void greet(WebSocket socket) throws IOException {
    Object visits = socket.req().attr(Sessions.SESSION).get("visits");
    socket.send(socket.req().params().required("room", String.class) + " " + visits);
  }

  private static void echo(WebSocket socket) throws IOException {
    for (String text : socket.texts()) {
      socket.send(text);
    }
  }

  private void flood(WebSocket socket) {
    byte[] piece = new byte[32 << 10];
    try {
      while (true) {
        socket.send(piece);
      }
    } catch (IOException e) {
      slowEnd.complete(socket.closeCode() + " " + socket.closeReason());
    }
  }

  /** Returns the next line of the log. */
  private String line() throws InterruptedException {
    return String.valueOf(lines.poll(10, TimeUnit.SECONDS)).strip();
  }

  @Test
  void section3ServersEnableExtendedConnect() throws IOException {
    try (FrameClient other = FrameClient.connect(server.port())) {
      Frame settings = other.raw(FrameClient.PREFACE).settings().next();
      ByteBuffer pairs = ByteBuffer.wrap(settings == null ? new byte[0] : settings.payload());
      boolean found = false;
      while (pairs.hasRemaining()) {
        int name = pairs.getShort();
        int value = pairs.getInt();
        found |= name == PeerSettings.ENABLE_CONNECT_PROTOCOL && value == 1;
      }
      assertTrue(found);
    }
  }

  @Test
  void section5TheHandshakeIsAGetWithParametersSessionAndLogLines() throws Exception {
    StreamSocket first =
        StreamSocket.ask(client, 1, "/rooms/tea?a=b", "origin", "http://localhost");
    Frame head = client.awaitHead(1);
    assertEquals("200", head.status());
    assertNull(head.headers().get("upgrade"));
    assertNull(head.headers().get("connection"));
    assertNull(head.headers().get("sec-websocket-accept"));
    assertEquals("1 tea 1", first.next());
    assertEquals("GET /rooms/tea?a=b HTTP/2.0 101 -", line());
    assertEquals("1 hello", first.send("hello").next());
    assertEquals("8 4000", first.close(4000).next());
    assertEquals("end", first.next());
    assertEquals("GET /rooms/tea?a=b HTTP/2.0 101 4000", line());
    String cookie = String.valueOf(head.headers().get("set-cookie"));
    StreamSocket again =
        StreamSocket.open(
            client, 3, "/rooms/t%20", "cookie", cookie.substring(0, cookie.indexOf(';')));
    assertEquals("1 t  2", again.next());
  }

  @Test
  void section5MessagesAreCompressedAndSubprotocolsChosenAsOverHttp1() throws IOException {
    StreamSocket socket =
        StreamSocket.ask(client, 1, "/waiting/a", "sec-websocket-extensions", "permessage-deflate");
    Frame head = client.awaitHead(1);
    assertEquals(
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
        head.headers().get("sec-websocket-extensions"));
    assertEquals("8 1000", socket.close(1000).next());
  }

  @Test
  void invalidHandshakesAreRejectedAndTheConnectionContinues() throws Exception {
    StreamSocket.ask(client, 1, "/rooms/tea", "origin", "https://evil.example");
    assertEquals("403", client.awaitHead(1).status());
    assertEquals("GET /rooms/tea HTTP/2.0 403 -", line());
    StreamSocket.ask(client, 3, "/rooms/tea", "sec-websocket-version", "8");
    assertEquals("400", client.awaitHead(3).status());
    StreamSocket.ask(client, 5, "/page"); // a success would mean that the other protocol begins
    assertEquals("501", client.awaitHead(5).status());
    StreamSocket.ask(client, 7, "/nowhere");
    assertEquals("404", client.awaitHead(7).status());
    StreamSocket.ask(client, 9, "/rooms/tea", "content-length", "5");
    assertEquals("400", client.awaitHead(9).status());
    assertEquals("200 a page", client.get(11, "/page").answer(11));
    assertEquals("426", client.get(13, "/rooms/tea").awaitHead(13).status());
  }

  @Test
  void aResetStreamIsReportedAsADisconnectedClient() throws Exception {
    for (String path : new String[] {"/rooms/a", "/waiting/a"}) {
      int stream = path.startsWith("/rooms") ? 1 : 3;
      StreamSocket.open(client, stream, path);
      assertEquals("GET " + path + " HTTP/2.0 101 -", line());
      client.reset(stream);
      assertEquals("GET " + path + " HTTP/2.0 101 1006", line());
    }
    assertEquals("200 a page", client.get(5, "/page").answer(5));
  }

  @Test
  void anEndedStreamIsReportedAsADisconnectedClient() throws Exception {
    StreamSocket later = StreamSocket.open(client, 1, "/waiting/a");
    assertEquals("GET /waiting/a HTTP/2.0 101 -", line());
    assertEquals("end", later.raw(new byte[0], true).next());
    assertEquals("GET /waiting/a HTTP/2.0 101 1006", line());
    String[] protocol = {":protocol", "websocket", "sec-websocket-version", "13"};
    client.headers(3, FrameType.END_STREAM, FrameClient.request("CONNECT", "/waiting/a", protocol));
    assertEquals("GET /waiting/a HTTP/2.0 101 -", line());
    assertEquals("GET /waiting/a HTTP/2.0 101 1006", line());
    assertEquals("200 a page", client.get(5, "/page").answer(5));
  }

  @Test
  void aSocketThatIsNotReadDelaysOnlyItself() throws Exception {
    StreamSocket.open(client, 1, "/flood"); // its window is never increased
    StreamSocket other = StreamSocket.open(client, 3, "/waiting/a");
    for (int i = 0; i < 100; i++) {
      assertEquals("1 " + i, other.send("" + i).next());
    }
    assertEquals("1013 too slow", slowEnd.get(10, TimeUnit.SECONDS));
    assertEquals("1 still there", other.send("still there").next());
    assertEquals("200 a page", client.get(5, "/page").answer(5));
  }

  @Test
  void aSocketWithUnreadMessagesDelaysOnlyItself() throws Exception {
    StreamSocket unread = StreamSocket.open(client, 1, "/unread");
    int most = PeerSettings.WINDOW - (1 << 10);
    byte[] ping = new byte[1018]; // 1 KiB with its frame header
    for (int sent = 0; sent < most; sent += 1 << 10) {
      unread.frame(2, ping);
    }
    StreamSocket other = StreamSocket.open(client, 3, "/waiting/a");
    for (int i = 0; i < 100; i++) {
      assertEquals("1 " + i, other.send("" + i).next());
    }
    client.reset(1);
    released.countDown();
  }

  @Test
  void aServerThatIsClosedClosesAllSocketsWith1001() throws Exception {
    StreamSocket called = StreamSocket.open(client, 1, "/rooms/a");
    assertEquals("1 a 1", called.next());
    StreamSocket waiting = StreamSocket.open(client, 3, "/waiting/a");
    CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
    // The two close in any order, and the client drops what comes on the other stream.
    assertTrue(closesBoth(called, waiting));
    closing.get(10, TimeUnit.SECONDS);
    String all = line() + line() + line() + line();
    assertEquals(2, all.split(" 1001", -1).length - 1, all);
  }

  private boolean closesBoth(StreamSocket called, StreamSocket waiting) throws IOException {
    int seen = 0;
    while (seen != 5) {
      Frame frame = client.await("a close", one -> one.type() == FrameType.DATA);
      String hex = java.util.HexFormat.of().formatHex(frame.payload());
      if (hex.startsWith("88") && hex.substring(4).startsWith("03e9")) {
        StreamSocket ignored = (frame.stream() == 1 ? called : waiting).close(1001);
        seen += frame.stream() == 1 ? 1 : 4;
      }
    }
    return true;
  }
}
