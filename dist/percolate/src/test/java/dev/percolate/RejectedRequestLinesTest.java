package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Handler;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.logger.LogSink;
import dev.percolate.logger.RequestLogger;
import dev.percolate.parsers.BodyParsers;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that the server or a parser rejects, and the lines of two loggers about them. */
@Timeout(60)
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class RejectedRequestLinesTest {

  private static final int LOGGERS = 2;

  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  /** Sends a request, and waits for its lines, which may be written after the response. */
  private void send(Server server, String request) throws Exception {
    int before = lines.size();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      byte[] response = socket.getInputStream().readAllBytes();
      assertEquals("HTTP/1.", new String(response, 0, 7, StandardCharsets.ISO_8859_1));
    }
    while (lines.size() < before + LOGGERS) {
      Thread.sleep(1);
    }
  }

  @Test
  void eachRejectedRequestHasExactlyOneLineInEachLogger() throws Exception {
    LogSink sink = LogSink.direct(lines::add);
    Handler hello = (req, res) -> res.send("hello");
    App app = new App();
    app.use(RequestLogger.of("a :status").to(sink));
    app.use(RequestLogger.of("b :status").to(sink));
    app.use(BodyParsers.json().limit("10b"));
    app.use(hello);
    String head = " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
    try (Server server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"))) {
      send(server, "GET /" + head + "Host: b\r\n\r\n");
      send(
          server, "POST /" + head + "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n");
      send(server, "GET /" + "u".repeat(8000) + head + "\r\n");
      send(server, "GET /" + head + "X: " + "x".repeat(9000) + "\r\n\r\n");
      send(server, "GET /" + head + "\r\n");
    }
    assertEquals(
        List.of(
            "a 400\n", "b 400\n", "a 413\n", "b 413\n", "a 414\n", "b 414\n", "a 431\n", "b 431\n",
            "a 200\n", "b 200\n"),
        lines);
  }

  @Test
  void eachLineHasTheVersionThatTheClientHasSent() throws Exception {
    LogSink sink = LogSink.direct(lines::add);
    App app = new App();
    for (int i = 0; i < LOGGERS; i++) {
      app.use(RequestLogger.of(":method :url HTTP/:http-version :status").to(sink));
    }
    app.use((req, res) -> res.send("hello"));
    try (Server server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"))) {
      send(server, "GET /a HTTP/1.0\r\nHost: a/b\r\n\r\n");
      send(server, "GET /b HTTP/1.2\r\nHost: a\r\nHost: a\r\n\r\n");
      send(server, "GET /c HTTP/1.9\r\nHost: a\r\nConnection: close\r\n\r\n");
      send(server, "GET /d HTTP/3.1\r\nHost: a\r\n\r\n");
      send(server, "GET /e HTTP/1.10\r\nHost: a\r\n\r\n");
      send(server, "OPTIONS * HTTP/1.0\r\n\r\n");
    }
    assertEquals(
        List.of(
            "GET /a HTTP/1.0 400\n",
            "GET /b HTTP/1.2 400\n",
            "GET /c HTTP/1.9 200\n",
            "GET /d HTTP/3.1 505\n",
            "- - HTTP/- 400\n",
            "OPTIONS * HTTP/1.0 200\n"),
        lines.stream().distinct().toList());
    assertEquals(6 * LOGGERS, lines.size(), lines::toString);
  }
}
