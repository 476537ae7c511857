package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.Headers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedirectTest {

  private final FakeExchange exchange = new FakeExchange().setting("etag", "weak");
  private final Response res = exchange.response();

  private void accept(String types) {
    exchange.sent = Headers.of("Accept", types);
  }

  @Test
  void absentArgumentsAreNamed() {
    String absent = null;
    Map<String, Executable> calls =
        Map.of(
            "redirect(null): URL must not be null", () -> res.redirect(absent),
            "location(null): URL must not be null", () -> res.location(absent),
            "type(null): type must not be null", () -> res.type(absent),
            "set(\"X-Name\", null): value must not be null", () -> res.set("X-Name", absent),
            "append(\"X-Name\", null): value must not be null", () -> res.append("X-Name", absent),
            "attachment(null): file name must not be null", () -> res.attachment(absent),
            "render(null): name must not be null", () -> res.render(absent),
            "cookie(null, …): name must not be null", () -> res.cookie(absent, "x"),
            "end(null): text must not be null", () -> res.end(absent));
    calls.forEach(
        (message, call) ->
            assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage()));
    assertEquals(200, res.status());
    assertEquals(List.of(), exchange.calls);
  }

  @Test
  void textIsTheFirstChoice() {
    res.redirect("http://x.test");
    assertEquals(302, exchange.status);
    assertEquals("http://x.test", exchange.header("Location"));
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("Accept", exchange.header("Vary"));
    assertEquals("35", exchange.header("Content-Length"));
    assertNull(exchange.header("ETag"));
    assertEquals("Found. Redirecting to http://x.test", exchange.body());
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  void htmlContainsAnEscapedLink() {
    accept("text/html");
    res.redirect(303, "/a?b&c=<\"'>");
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    String url = "/a?b&amp;c=%3C%22&#39;%3E";
    assertEquals(
        "<p>See Other. Redirecting to <a href=\"" + url + "\">" + url + "</a></p>",
        exchange.body());
  }

  @Test
  void textContainsTheEncodedUrl() {
    res.redirect(301, "/<\u20ac%20\u00e9>");
    String url = "/%3C%E2%82%AC%20%C3%A9%3E";
    assertEquals(url, exchange.header("Location"));
    assertEquals("Moved Permanently. Redirecting to " + url, exchange.body());
  }

  @Test
  void withoutAnAcceptableTypeThereIsNoBody() {
    accept("image/png");
    res.type("json").redirect("/x");
    assertEquals("application/json", exchange.header("Content-Type"));
    assertEquals("0", exchange.header("Content-Length"));
    assertEquals("", exchange.body());
  }

  @Test
  void anEarlierStatusTypeAndLengthAreReplaced() {
    res.status(308).type("json").set("Content-Length", "1").redirect("/t");
    assertEquals(302, exchange.status);
    assertEquals("24", exchange.header("Content-Length"));
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
  }

  @Test
  void headHasTheSameHeadersWithoutBody() {
    exchange.method = "HEAD";
    exchange.response().redirect("/t");
    assertEquals("24", exchange.header("Content-Length"));
    assertEquals("", exchange.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"javascript://%0aalert(1)", " JavaScript\t://x", "data://text/html,x"})
  void scriptUrlsAreNotLinked(String url) {
    accept("text/html");
    res.redirect(url);
    assertFalse(exchange.body().contains("href"), exchange.body());
  }

  @ParameterizedTest
  @CsvSource({"99", "1000"})
  void anInvalidStatusIsRejectedBeforeAnythingIsSet(int code) {
    assertThrows(IllegalArgumentException.class, () -> res.redirect(code, "/x"));
    assertNull(res.get("Location"));
    assertFalse(res.headersSent());
  }
}
