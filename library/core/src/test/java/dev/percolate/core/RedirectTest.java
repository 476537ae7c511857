package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;
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
