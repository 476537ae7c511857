package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Settings;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestWebSocket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WebSocketHandshakeTest extends WebSocketTrial {

  @Test
  void invalidHandshakesAreRejected() {
    assertRejected(426, "", Call.get("/"));
    Call call = Call.get("/");
    assertRejected(426, "7", call.header("Sec-WebSocket-Version", "7"), true);
    assertRejected(
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
      assertRejected(400, key, call.header("Sec-WebSocket-Key", key), true);
    }
    assertRejected(
        400,
        "twice",
        call.header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
            .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        true);
    assertRejected(400, "", call.header("Connection", "keep-alive"), true);
    assertRejected(400, "", call.header("Connection", "Upgrade, close"), true);
    assertRejected(426, "", call.header("Upgrade", "h2c"), true);
    for (String extensions : List.of("a b", "a;", "a; b=", "a; b=\"x", "a; b=\"a b\"", ";x")) {
      assertRejected(400, extensions, call.header("Sec-WebSocket-Extensions", extensions), true);
    }
    for (String protocols : List.of("a b", "a, a", "(a)")) {
      assertRejected(400, protocols, call.header("Sec-WebSocket-Protocol", protocols), true);
    }
    assertRejected(400, "a body", call.body("x"), true);
    assertRejected(426, "HEAD", Call.head("/"), true);
  }

  private void assertRejected(int status, String what, Call call) {
    assertRejected(status, what, call, false);
  }

  private void assertRejected(int status, String what, Call call, boolean completed) {
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
  void pagesOfOtherOriginsCannotOpenSockets() {
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
    assertEquals(403, originStatus(friends, "tauri://localhost"));
    assertEquals(101, originStatus(ECHO.origins("tauri://localhost"), "tauri://localhost"));
    assertEquals(101, originStatus(ECHO.origins("*"), "http://evil.example"));
    Call twice =
        Call.get("/").header("Origin", "http://localhost").header("Origin", "http://localhost");
    assertEquals(403, client(ThreadMode.ofThisJdk(), ECHO).webSocket(twice).head().status());
  }

  /** An attacker in the network can serve such a page; the socket would get the cookies. */
  @Test
  void aPageWithoutTlsCannotOpenASocketWithTls() {
    Settings settings = new Settings();
    settings.set("trust proxy", true);
    Call secure = Call.get("/").header("X-Forwarded-Proto", "https");
    assertEquals(101, originStatus(settings, ECHO, secure.header("Origin", "https://localhost")));
    assertEquals(403, originStatus(settings, ECHO, secure.header("Origin", "http://localhost")));
    assertEquals(403, originStatus(settings, ECHO, secure.header("Origin", "HTTP://localhost")));
    Call plain = Call.get("/").header("X-Forwarded-Proto", "http");
    assertEquals(101, originStatus(settings, ECHO, plain.header("Origin", "http://localhost")));
    WebSockets both = ECHO.origins("http://localhost:80");
    assertEquals(101, originStatus(settings, both, secure.header("Origin", "http://localhost")));
  }

  private int originStatus(Settings settings, WebSockets step, Call call) {
    return client(settings, ThreadMode.ofThisJdk(), step).webSocket(call).head().status();
  }

  private int originStatus(WebSockets step, String origin) {
    Call call = Call.get("/").header("Origin", origin);
    return client(ThreadMode.ofThisJdk(), step).webSocket(call).head().status();
  }

  @Test
  void theFirstSupportedSubprotocolIsUsed() {
    WebSockets step =
        WebSockets.of(socket -> socket.send("<" + socket.protocol() + ">")).protocols("b", "c");
    assertEquals("<c>", protocol(step, "a, c, b"));
    assertEquals("<b>", protocol(step, "b"));
    assertEquals("<>", protocol(step, "x"));
    assertEquals("<>", protocol(WebSockets.of(it -> it.send("<" + it.protocol() + ">")), "b"));
  }

  private String protocol(WebSockets step, String offered) {
    Call call = Call.get("/").header("Sec-WebSocket-Protocol", offered);
    TestWebSocket socket = client(ThreadMode.ofThisJdk(), step).webSocket(call);
    String chosen = socket.head().header("Sec-WebSocket-Protocol");
    String told = socket.text();
    assertEquals(told, "<" + (chosen == null ? "" : chosen) + ">");
    socket.disconnect();
    return told;
  }

  @Test
  void perClientLimitsOpenSockets() throws Exception {
    BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    Client client =
        client(
            ThreadMode.ofThisJdk(),
            CALLED.maxPerClient(2).onClose((it, code, why) -> ends.add(code)));
    TestWebSocket one = client.webSocket("/");
    assertEquals(101, one.head().status());
    assertEquals(101, client.webSocket("/").head().status());
    assertEquals(429, client.webSocket("/").head().status());
    one.close(1000, "");
    assertEquals(1000, ends.poll(10, TimeUnit.SECONDS));
    assertEquals(101, client.webSocket("/").head().status());
  }
}
