package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.logger.StructuredFormat;
import dev.percolate.middleware.Health;
import dev.percolate.testkit.Call;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Code of the pages on logging, limits, threads and deployment. */
final class RunGuideTest {

  @Test
  void eachRequestHasALine() {
    List<String> lines = new ArrayList<>();
    LogSink file = LogSink.direct(lines::add);
    // #region logger
    App app = new App();
    app.use(RequestLogger.of("combined").to(file).skip((req, res) -> req.path().equals("/health")));
    // #endregion logger
    app.get("/health", (req, res) -> res.send("up"));
    Call.get("/health").to(app);
    Call.get("/nowhere").to(app);
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).contains("\"GET /nowhere HTTP/1.1\" 404"), lines::toString);
  }

  @Test
  void linesMayBeJson() {
    List<String> lines = new ArrayList<>();
    LogSink sink = LogSink.direct(lines::add);
    // #region json-lines
    App app = new App();
    app.use(
        RequestLogger.of(StructuredFormat.json().fields("date", "method", "url", "status"))
            .to(sink));
    // #endregion json-lines
    Call.get("/a").to(app);
    assertTrue(lines.get(0).contains("\"status\":404"), lines::toString);
  }

  @Test
  void aServerBehindAProxyShutsDownGracefully() throws Exception {
    // #region behind-proxy
    App app = new App().set("trust proxy", "10.0.0.0/8, loopback");
    app.get("/ready", Health.ready()); // 503 as soon as the server shuts down
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").behindProxy(Duration.ofSeconds(60));
    Server server = app.listen(options);
    // #endregion behind-proxy
    AtomicInteger checks = new AtomicInteger();
    app.get("/db", Health.of("db", checks::incrementAndGet)).get("/live", Health.live());
    assertEquals(Duration.ofSeconds(75), options.idleTimeout());
    assertEquals(200, Call.get("/ready").to(server.uri()).status());
    CompletableFuture<Void> ignored = CompletableFuture.runAsync(server::close); // takes 5 s
    while (!server.isShuttingDown()) {
      Thread.onSpinWait();
    }
    assertEquals(503, Call.get("/ready").to(server.uri()).status()); // still serves requests
    assertEquals(503, Call.get("/db").to(server.uri()).status());
    assertEquals(0, checks.get());
    assertEquals(200, Call.get("/live").to(server.uri()).status());
  }

  @Test
  void aServerHasLimitsAndShutsDownGracefully() throws Exception {
    App app = new App();
    app.get("/", (req, res) -> res.send("ok"));
    StringBuilder closed = new StringBuilder();
    // #region listen
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .idleTimeout(Duration.ofSeconds(75)) // longer than that of the proxy
            .responseTimeout(Duration.ofSeconds(30)) // 503 for slower responses
            .shutdownTimeout(Duration.ofSeconds(20)); // time for open requests at shutdown
    app.onClose(() -> closed.append("pool closed")); // after the last request
    Server server = app.listen(options);
    // #endregion listen
    assertEquals("ok", Call.get("/").to(server.uri()).text());
    server.close();
    assertEquals("pool closed", closed.toString());
  }

  @Test
  void aProxyInFrontIsTrustedByItsAddress() {
    // #region trust-proxy
    App app = new App();
    app.set("trust proxy", "loopback"); // or "10.0.0.0/8", or a number of hops
    app.get("/", (req, res) -> res.send(req.ip() + " " + req.protocol() + " " + req.host()));
    // #endregion trust-proxy
    Call call = Call.get("/").header("X-Forwarded-For", "203.0.113.7");
    call = call.header("X-Forwarded-Proto", "https").header("X-Forwarded-Host", "shop.example");
    assertEquals("203.0.113.7 https shop.example", call.to(app).text());
  }

  @Test
  void aProxyThatForwardsTcpNamesItsClients() throws Exception {
    App app = new App();
    app.get("/", (req, res) -> res.send("client " + req.ip()));
    // #region proxy-protocol
    ListenOptions options =
        ListenOptions.ofPort(0).proxyProtocol("10.0.0.0/8", "127.0.0.1"); // the proxies
    Server server = app.listen(options);
    // #endregion proxy-protocol
    try (server;
        Socket proxy = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String header = "PROXY TCP4 203.0.113.7 10.0.0.1 50000 443\r\n";
      String request = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      proxy.getOutputStream().write((header + request).getBytes(StandardCharsets.US_ASCII));
      String response =
          new String(proxy.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(response.endsWith("client 203.0.113.7"), response);
    }
  }

  @Test
  void handlersMayRunOnTheEventLoop() throws Exception {
    App app =
        new App()
            .get(
                "/",
                (req, res) ->
                    res.send(
                        Thread.currentThread().getClass().getSimpleName().startsWith("Virtual")
                            + ""));
    // #region threads
    Server server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1").threads("event loop"));
    // #endregion threads
    try (server) {
      assertEquals("false", Call.get("/").to(server.uri()).text());
    }
  }
}
