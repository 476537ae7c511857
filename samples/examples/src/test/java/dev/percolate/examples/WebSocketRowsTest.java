package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.framework.App;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestWebSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests attacks of WebSocket clients over TCP; see docs/security/rows.tsv. */
@Timeout(60)
final class WebSocketRowsTest {

  private static final String HANDSHAKE =
      " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
  private static final String KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  private static final String VERSION = "Sec-WebSocket-Version: 13\r\n";
  private static final Call DEFLATE =
      Call.get("/called").header("Sec-WebSocket-Extensions", "permessage-deflate");
  private static final int CONTINUATION = 0;
  private static final int BINARY = 2;
  private static final int CLOSE = 8;

  private final AtomicInteger secrets = new AtomicInteger();
  private final CompletableFuture<String> slow = new CompletableFuture<>();
  private final BodyMemory memory = BodyMemory.of("4mb");
  private Server server;
  private Client client;

  @BeforeEach
  void serve() throws IOException {
    App app = new App();
    app.get(
        "/called",
        WebSockets.callbacks().onText(WebSocket::send).onBinary(WebSocket::send).maxPerClient(99));
    app.get("/waiting", WebSockets.of(WebSocketRowsTest::echo).maxPerClient(99));
    app.get("/flood", WebSockets.of(this::flood).sendTimeout("80 ms"));
    app.get("/few", WebSockets.callbacks().onText(WebSocket::send).maxPerClient(2));
    app.get("/page", (req, res) -> res.send("a page"));
    app.post("/page", (req, res) -> res.send("a page"));
    app.get("/secret", (req, res) -> res.send("secret " + secrets.incrementAndGet()));
    server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1").bodyMemory(memory));
    client = Client.of(server);
  }

  @AfterEach
  void close() {
    client.close();
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
      slow.complete(socket.closeCode() + " " + socket.closeReason());
    }
  }

  /** Checks that another client is served. */
  private void othersAreServed() {
    TestWebSocket other = client.webSocket("/waiting");
    assertEquals("other", other.send("other").text());
    other.close(1000, "");
    assertEquals(1000, other.closeCode());
    other.disconnect();
  }

  private int closeCode(String path, byte[]... sent) {
    try (TestWebSocket socket = client.webSocket(path)) {
      assertEquals(101, socket.head().status());
      for (byte[] bytes : sent) {
        socket.raw(bytes);
      }
      return socket.closeCode();
    }
  }

  @ParameterizedTest(name = "WS-01: pages of {0} cannot open a socket")
  @ValueSource(
      strings = {
        "https://evil.example",
        "null",
        "",
        "http://127.0.0.1",
        "http://127.0.0.1.evil.example",
        "http://127.0.0.1:PORT.evil.example",
        "http://127.0.0.1:PORT@evil.example",
        "http://evil.example#127.0.0.1:PORT",
        "http://127.0.0.1:PORT http://127.0.0.1:PORT",
        "file://127.0.0.1:PORT"
      })
  void otherOriginsAreRejected(String origin) {
    String sent = origin.replace("PORT", "" + server.port());
    try (TestWebSocket socket = client.webSocket(Call.get("/called").header("Origin", sent))) {
      assertEquals(403, socket.head().status());
    }
    String own = "http://127.0.0.1:" + server.port();
    try (TestWebSocket socket = client.webSocket(Call.get("/called").header("Origin", own))) {
      assertEquals(101, socket.head().status());
    }
  }

  @ParameterizedTest(name = "WS-02: {0} is an invalid client frame")
  @ValueSource(
      strings = {
        "8100", // not masked
        "c18000000000", // compressed without agreement
        "91800000000000", // reserved bits
        "83800000000000", // reserved opcodes
        "8f800000000000",
        "098000000000", // a fragmented ping
        "89fe007e00000000", // a long ping
        "808000000000", // a continuation without a first frame
        "82ff8000000000000000", // a 64-bit length with the highest bit set
        "82fe000100000000" // a length with too many bytes
      })
  void invalidFramesCloseTheSocket(String hex) {
    assertEquals(1002, closeCode("/called", HexFormat.of().parseHex(hex)));
    assertEquals(1002, closeCode("/waiting", HexFormat.of().parseHex(hex)));
  }

  @Test
  @DisplayName("WS-03: a compressed message is inflated only up to the message limit")
  void compressionBombsAreRejected() {
    for (int i = 0; i < 3; i++) {
      try (TestWebSocket socket = client.webSocket(DEFLATE)) {
        socket.send(new byte[40 << 20]); // 40 KiB
        assertEquals(1009, socket.closeCode());
      }
    }
    assertTrue(memory.maxHeld() < 1 << 20, memory::toString);
    othersAreServed();
  }

  @Test
  @DisplayName("WS-04: a message that is too long is rejected by its announced length")
  void longMessagesAreRejected() {
    byte[] announced = HexFormat.of().parseHex("82ff0000010000000000");
    assertEquals(1009, closeCode("/called", announced));
    assertEquals(1009, closeCode("/waiting", announced));
    try (TestWebSocket socket = client.webSocket("/waiting")) {
      socket.frame(BINARY, false, new byte[40_000]).frame(CONTINUATION, true, new byte[40_000]);
      assertEquals(1009, socket.closeCode());
    }
  }

  @Test
  @DisplayName("WS-05: if a client does not read, few pongs are queued")
  void pingFloodsDoNotBlockOthers() {
    try (TestWebSocket flood = client.webSocket("/called")) {
      flood.head();
      flood.pause();
      for (int i = 0; i < 20_000; i++) {
        flood.ping("p".repeat(125));
      }
      othersAreServed();
      flood.resume();
      flood.ping("last");
      int pongs = 1;
      while (!flood.pong().equals("last")) {
        pongs++;
      }
      assertTrue(pongs <= 20_001, pongs + " pongs");
    }
  }

  @Test
  @DisplayName("WS-06: a client that does not read is disconnected")
  void slowReadersAreClosed() throws Exception {
    try (TestWebSocket socket = client.webSocket("/flood")) {
      socket.bytes();
      socket.pause();
      othersAreServed();
      assertEquals("1013 too slow", slow.get(10, TimeUnit.SECONDS));
      othersAreServed();
    }
  }

  @Test
  @DisplayName("WS-07: endless fragments close the socket, with or without content")
  void endlessFragmentsAreRejected() {
    for (String path : List.of("/called", "/waiting")) {
      try (TestWebSocket socket = client.webSocket(path)) {
        socket.frame(BINARY, false, new byte[1]);
        for (int i = 0; i < 1100; i++) {
          socket.frame(CONTINUATION, false, new byte[0]);
        }
        assertEquals(1008, socket.closeCode());
      }
      try (TestWebSocket socket = client.webSocket(path)) {
        socket.frame(BINARY, false, new byte[1]);
        for (int i = 0; i < 70; i++) {
          socket.frame(CONTINUATION, false, new byte[1000]);
        }
        assertEquals(1009, socket.closeCode());
      }
    }
  }

  @Test
  @DisplayName("WS-07: unfinished messages of all clients share one memory limit")
  void halfMessagesTakeLittleMemory() {
    List<TestWebSocket> all = new ArrayList<>();
    for (int i = 0; i < 90; i++) {
      TestWebSocket socket = client.webSocket("/called");
      all.add(socket.frame(BINARY, false, new byte[60_000]));
    }
    int rejected = 0;
    for (TestWebSocket socket : all) {
      socket.ping("p");
      try {
        assertEquals("p", socket.pong());
      } catch (AssertionError e) {
        assertEquals(1013, socket.closeCode());
        rejected++;
      }
    }
    assertTrue(rejected > 0, "none refused");
    assertTrue(memory.held() <= memory.budget(), memory::toString);
    all.forEach(TestWebSocket::disconnect);
    othersAreServed();
  }

  @ParameterizedTest(name = "WS-08: {0} is an invalid close code")
  @ValueSource(ints = {0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2999, 5000, 65_535})
  void invalidCloseCodesAreRejected(int code) {
    byte[] payload = {(byte) (code >> 8), (byte) code};
    try (TestWebSocket socket = client.webSocket("/called")) {
      assertEquals(1002, socket.frame(CLOSE, true, payload).closeCode());
    }
    try (TestWebSocket socket = client.webSocket("/waiting")) {
      assertEquals(1002, socket.frame(CLOSE, true, new byte[1]).closeCode());
    }
  }

  @ParameterizedTest(name = "WS-09: an upgrade with a body ({0}) is rejected")
  @ValueSource(
      strings = {
        "Content-Length: 5\r\n\r\nhello",
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        "Content-Length: 29\r\n\r\nGET /secret HTTP/1.1\r\nHost:a\r\n",
        "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
      })
  void anUpgradeHasNoBody(String rest) throws IOException {
    try (RawSocket socket = new RawSocket(server)) {
      String response = socket.send("GET /called" + HANDSHAKE + VERSION + KEY + rest).readToClose();
      assertTrue(response.startsWith("HTTP/1.1 400 "), response);
      assertEquals(1, response.split("HTTP/1.1 ", -1).length - 1, response);
    }
    assertEquals(0, secrets.get());
  }

  @ParameterizedTest(name = "WS-10: bytes after a rejected upgrade are not a request: {0}")
  @ValueSource(
      strings = {
        "403 GET /called Origin: https://evil.example",
        "426 GET /called Sec-WebSocket-Version: 777",
        "400 GET /called Sec-WebSocket-Key: x",
        "404 GET /nowhere X: y",
        "200 GET /page X: y",
        "426 HEAD /called X: y"
      })
  void bytesAfterARejectedUpgradeAreNotARequest(String row) throws IOException {
    String[] words = row.split(" ", 4);
    String given = words[3] + "\r\n";
    String head =
        words[1]
            + " "
            + words[2]
            + HANDSHAKE
            + (given.startsWith("Sec-WebSocket-Version") ? "" : VERSION)
            + (given.startsWith("Sec-WebSocket-Key") ? "" : KEY)
            + given
            + "\r\n";
    String behind = "GET /secret HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (RawSocket socket = new RawSocket(server)) {
      String response = socket.send(head + behind).readToClose();
      assertTrue(response.startsWith("HTTP/1.1 " + words[0] + " "), response);
      assertTrue(response.contains("close\r\n"), response);
      assertFalse(response.contains("secret"), response);
    }
    assertEquals(0, secrets.get());
  }

  @Test
  @DisplayName("WS-11: the number of sockets is limited for each client")
  void aClientHasFewSockets() {
    TestWebSocket one = client.webSocket("/few");
    TestWebSocket two = client.webSocket("/few");
    assertEquals("a", one.send("a").text());
    assertEquals("b", two.send("b").text());
    assertEquals(429, client.webSocket("/few").head().status());
    othersAreServed();
  }
}
