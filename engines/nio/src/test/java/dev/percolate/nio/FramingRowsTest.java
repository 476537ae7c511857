package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.fixtures.Watching;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads that must be rejected, and unusual ones that are valid; see docs/security/rows.tsv. */
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class FramingRowsTest extends ServerFixture {

  private static final String AFTER = "GET /after HTTP/1.1\r\nHost: a\r\n\r\n";

  private final Watching watching = new Watching();
  private final List<String> entered = new CopyOnWriteArrayList<>();
  private Server server;

  @BeforeEach
  void serve() throws IOException {
    Settings settings = Settings.ofApplication().set("etag", false);
    Service service = Chain.service(settings, watching, (Handler) this::answer);
    server = engine().listen(service, options());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private void answer(Request req, Response res) {
    entered.add(req.method() + " " + req.url());
    res.type("text").end(req.path() + " of " + req.host());
  }

  private static Arguments get(String row, int status, String lines) {
    return arguments(row, status, "GET /x HTTP/1.1\r\n" + lines + "\r\n\r\n");
  }

  private static Arguments post(String row, int status, String lines) {
    return arguments(row, status, "POST /x HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n\r\n0\r\n\r\n");
  }

  private static Arguments line(String row, int status, String line) {
    return arguments(row, status, line + "\r\nHost: a\r\n\r\n");
  }

  static Stream<Arguments> framing() {
    String old = " HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n";
    return Stream.of(
        post("ENG-01", 400, "Content-Length: 5\r\nTransfer-Encoding: chunked"),
        arguments("ENG-02", 400, "POST /x" + old + "Content-Length: 5\r\n\r\n0\r\n\r\n"),
        arguments("ENG-03", 400, "POST /x" + old + "\r\n0\r\n\r\n"),
        post("ENG-04", 400, "Content-Length: 1\r\nContent-Length: 0"),
        post("ENG-04", 400, "Content-Length: 1\r\nContent-Length: 1"),
        post("ENG-04", 400, "Content-Length: 1,1"),
        post("ENG-05", 400, "Content-Length: +1"),
        post("ENG-05", 400, "Content-Length: -1"),
        post("ENG-05", 400, "Content-Length: 0x1"),
        post("ENG-05", 400, "Content-Length: 1_0"),
        post("ENG-05", 400, "Content-Length: 18446744073709551616"),
        post("ENG-05", 400, "Content-Length: +5"),
        post("ENG-05", 400, "Content-Length: -0"),
        post("ENG-05", 400, "Content-Length: \u000b5"),
        post("ENG-05", 400, "Content-Length: 5\0"),
        post("ENG-07", 400, "Transfer-Encoding: ,chunked"),
        post("ENG-08", 400, "Transfer-Encoding: xchunked"),
        post("ENG-08", 400, "Transfer-Encoding: chunked, identity"),
        post("ENG-08", 400, "Transfer-Encoding: \u000bchunked"),
        post("ENG-08", 400, "Transfer-Encoding: \u00a0chunked"),
        post("ENG-08", 400, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        post("ENG-09", 501, "Transfer-Encoding: gzip, chunked"),
        post("ENG-10", 400, "Transfer-Encoding : chunked"),
        get("ENG-10", 400, " Host: a"),
        get("ENG-10", 400, "Host: a\r\nContent-Length 5"),
        get("ENG-11", 400, "Host: a\r\n: x"),
        get("ENG-12", 400, "Host: a\r\nX: a\r\n b"),
        get("ENG-12", 400, "Host: a\r\nX: a\r\n\tb"),
        get("ENG-12", 400, "Host: a\r\nX: a\r\n Transfer-Encoding: chunked"),
        post("ENG-12", 400, "Transfer-Encoding:\r\n chunked"),
        post("ENG-12", 400, "Transfer-Encoding: chunked\r\n , identity"),
        get("ENG-13", 400, "Host: a\r\nX: \0"),
        get("ENG-13", 400, "Host: a\r\nX: a\rb"),
        get("ENG-13", 400, "Host: a\r\nX\u0085: a"),
        get("ENG-13", 400, "Host: a\r\nX\u0001: a"),
        get("ENG-13", 400, "Host: a\nX: a"),
        get("ENG-13", 400, "Host: a\rX: a"));
  }

  static Stream<Arguments> limits() {
    return Stream.of(
        line("ENG-21", 505, "PRI * HTTP/2.0"),
        get("ENG-23", 417, "Host: a\r\nExpect: 200-ok"),
        line("ENG-24", 505, "GET /x HTTP/2.0"),
        line("ENG-24", 505, "GET /x HTTP/3.1"),
        line("ENG-24", 505, "GET /x HTTP/0.9"),
        line("ENG-24", 400, "GET /x HTTP/1.32"),
        line("ENG-24", 400, "GET /x HTTP/01.01"),
        line("ENG-24", 400, "GET /x http/1.1"),
        line("ENG-24", 400, "GET /x HTTP/9"),
        line("ENG-25", 414, "GET /" + "a".repeat(8000) + " HTTP/1.1"),
        get("ENG-25", 431, "Host: a\r\nX: " + "a".repeat(9000)),
        get("ENG-25", 431, "Host: a\r\n" + "X: 1\r\n".repeat(99) + "Y: 1"),
        line("ENG-26", 400, "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003"),
        line("ENG-26", 400, "GET /"),
        line("ENG-26", 400, "G\0T / HTTP/1.1"),
        line("ENG-26", 400, "GET /a b HTTP/1.1"),
        line("ENG-26", 400, "GET /a\0b HTTP/1.1"));
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        get("REQ-01", 400, "X: no host"),
        get("REQ-01", 400, "Host: a\r\nHost: b"),
        get("REQ-01", 400, "Host: a\r\nhost: a"),
        get("REQ-02", 400, "Host: evil.com:x@good.com"),
        get("REQ-02", 400, "Host: a b"),
        get("REQ-02", 400, "Host: a/b?c"),
        get("REQ-02", 400, "Host: [::1"),
        get("REQ-02", 400, "Host: a:99999"),
        get("REQ-02", 400, "Host: a\0b"),
        get("REQ-02", 400, "Host:"),
        get("REQ-02", 400, "Host: \t "),
        get("REQ-02", 400, "Host: :8080"),
        arguments("REQ-02", 400, "GET /x HTTP/1.0\r\nHost: \r\n\r\n"),
        line("REQ-03", 400, "GET http://:80/ HTTP/1.1"),
        line("REQ-03", 400, "GET http://u@b/ HTTP/1.1"),
        line("REQ-03", 400, "GET http:///x HTTP/1.1"),
        line("REQ-04", 400, "GET foo HTTP/1.1"),
        line("REQ-04", 400, "GET ! HTTP/1.1"),
        line("REQ-04", 400, "GET a:80 HTTP/1.1"),
        line("REQ-04", 400, "GET * HTTP/1.1"),
        line("REQ-04", 400, "GET /a#b HTTP/1.1"),
        line("REQ-04", 400, "GET /\u00ff HTTP/1.1"),
        line("REQ-05", 501, "CONNECT a:80 HTTP/1.1"),
        line("REQ-05", 400, "G=\":<>(e) / HTTP/1.1"),
        line("REQ-05", 400, "A".repeat(65) + " / HTTP/1.1"),
        line("REQ-05", 400, "A".repeat(100_000) + " / HTTP/1.1"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource({"framing", "limits", "requests"})
  void invalidHeadsAreRejectedAndReportedOnce(String row, int status, String head)
      throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      String response = socket.send(head + AFTER).readToClose();
      assertTrue(response.startsWith(status == 505 ? "HTTP/1.1 " : "HTTP/1."), response);
      assertTrue(response.startsWith(" " + status + " ", "HTTP/1.1".length()), response);
      assertTrue(response.contains("Connection: close\r\n"), response);
      assertEquals(1, response.split("HTTP/1\\.[01] ", -1).length - 1, response);
    }
    server.close(); // waits until every handler has run
    assertEquals(List.of(), entered);
    assertEquals(1, watching.lines.size(), watching.lines::toString);
    String line = watching.lines.get(0);
    assertTrue(line.startsWith("refused ") && line.endsWith(" " + status), line);
  }

  @Test
  @DisplayName("ENG-12: the first of several ambiguous heads is rejected, the connection closed")
  void theFirstRejectionIsTheLastResponse() throws Exception {
    String folded = "GET /x HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n";
    try (RawSocket socket = new RawSocket(server)) {
      String response = socket.send(folded + folded + AFTER + "NONSENSE\r\n\r\n").readToClose();
      assertEquals(1, response.split("HTTP/1\\.[01] ", -1).length - 1, response);
    }
    server.close(); // waits until every handler has run
    assertEquals(List.of("refused GET /x 400"), watching.lines);
  }

  @ParameterizedTest(name = "REQ-16: OPTIONS *{0}")
  @ValueSource(
      strings = {
        " HTTP/1.1\r\nHost: a\r\n\r\n",
        " HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
        " HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
      })
  void theServerRespondsToOptionsForItselfAndReportsThemOnce(String rest) throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      String response = socket.send("OPTIONS *" + rest + AFTER).readTo("\r\n\r\n/after of a");
      assertTrue(response.startsWith("HTTP/1.1 200 OK\r\n"), response);
      assertTrue(response.contains("\r\nContent-Length: 0\r\n"), response);
      assertTrue(response.contains("\r\nAllow: GET, HEAD, "), response);
    }
    server.close(); // waits until every handler has run
    assertEquals(List.of("GET /after"), entered);
    assertEquals(1, watching.lines.stream().filter("refused OPTIONS * 200"::equals).count());
    assertEquals(2, watching.lines.size(), watching.lines::toString);
  }

  static Stream<Arguments> odd() {
    return Stream.of(
        arguments("REQ-01", "GET /x HTTP/1.0\r\n\r\n", "/x of null"),
        arguments("REQ-03", "GET http://b:1/x HTTP/1.1\r\nHost: a\r\n\r\n", "/x of b"),
        arguments("ENG-24", "GET /x HTTP/1.2\r\nHost: a\r\n\r\n", "/x of a"),
        arguments("ENG-24", "GET /x HTTP/1.9\r\nHost: a\r\n\r\n", "/x of a"),
        arguments("ENG-25", "GET /" + "a".repeat(7999) + " HTTP/1.1\r\nHost: a\r\n\r\n", "/aa"),
        arguments("REQ-05", "A".repeat(64) + " /x HTTP/1.1\r\nHost: a\r\n\r\n", "/x of a"),
        arguments("REQ-05", "TRACE /x HTTP/1.1\r\nHost: a\r\nX: secret\r\n\r\n", "/x of a"),
        arguments("REQ-05", "get /x HTTP/1.1\r\nHost: a\r\n\r\n", "/x of a"));
  }

  @ParameterizedTest(name = "{0}: accepted, {1}")
  @MethodSource("odd")
  void anUnusualButValidHeadIsAccepted(String row, String head, String body) throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      assertTrue(socket.send(head).readTo("\r\n\r\n" + body).startsWith("HTTP/1."));
    }
    String method = head.substring(0, head.indexOf(' '));
    assertTrue(entered.get(0).startsWith(method + " "), entered::toString);
  }

  @Test
  @DisplayName("ENG-21: HTTP/2 in clear text is disabled, and an upgrade is ignored")
  void http2InClearTextIsDisabled() throws Exception {
    try (RawSocket socket = new RawSocket(server)) {
      String upgrade =
          "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n";
      socket.send("GET /up HTTP/1.1\r\nHost: a\r\n" + upgrade + "\r\n");
      assertTrue(socket.readTo("\r\n\r\n/up of a").startsWith("HTTP/1.1 200 OK\r\n"));
    }
    assertEquals(List.of("GET /up"), entered);
  }
}
