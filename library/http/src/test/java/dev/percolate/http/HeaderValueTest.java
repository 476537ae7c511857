package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderValueTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "age",
        "authorization",
        "content-length",
        "content-type",
        "etag",
        "expires",
        "from",
        "host",
        "if-modified-since",
        "if-unmodified-since",
        "last-modified",
        "location",
        "max-forwards",
        "proxy-authorization",
        "referer",
        "retry-after",
        "server",
        "user-agent"
      })
  void theFirstValueOfASingleHeaderCounts(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    assertEquals("1", HeaderValue.of(Headers.of(upper, "1", name, "2"), name));
    assertEquals("", HeaderValue.of(Headers.of(name, "", name, "2"), upper));
  }

  @ParameterizedTest
  @ValueSource(strings = {"accept", "X-Forwarded-For", "if-none-match", "date", "set-cookie"})
  void otherHeadersAreJoinedWithCommas(String name) {
    Headers headers = Headers.of(name, "b", "Via", "x", name.toUpperCase(Locale.ROOT), "a");
    assertEquals("b, a", HeaderValue.of(headers, name));
    assertEquals(", a", HeaderValue.of(Headers.of(name, "", name, "a"), name));
  }

  @Test
  void cookiesAreJoinedWithSemicolons() {
    assertEquals(
        "a=1; b=2", HeaderValue.of(Headers.of("Cookie", "a=1", "cookie", "b=2"), "COOKIE"));
  }

  @Test
  void anEmptyValueIsEmptyAndAnAbsentOneNull() {
    assertEquals("", HeaderValue.of(Headers.of("Accept", ""), "accept"));
    assertNull(HeaderValue.of(new Headers(), "accept"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"referer", "Referrer", "REFERER"})
  void referrerOverridesRefererUnlessItIsEmpty(String name) {
    assertEquals("b", HeaderValue.of(Headers.of("Referer", "a", "Referrer", "b"), name));
    assertEquals("a", HeaderValue.of(Headers.of("Referer", "a", "Referrer", ""), name));
    assertEquals("a", HeaderValue.of(Headers.of("Referer", "a"), name));
    assertEquals("b", HeaderValue.of(Headers.of("Referrer", "b"), name));
    assertNull(HeaderValue.of(Headers.of("Referrer", ""), name));
  }

  @Test
  void joinedReturnsTheFirstValueOfASingleHeader() {
    Headers headers = Headers.of("Host", "a", "host", "b", "User-Agent", "", "User-Agent", "x");
    assertEquals("a", HeaderValue.joined(headers, "HOST"));
    assertEquals("", HeaderValue.joined(headers, "user-agent"));
  }

  @Test
  void joinedJoinsOtherHeadersInOrder() {
    Headers headers = Headers.of("X-A", "1", "Cookie", "a=1", "x-a", "2", "cookie", "b=2");
    assertEquals("1, 2", HeaderValue.joined(headers, "X-A"));
    assertEquals("a=1; b=2", HeaderValue.joined(headers, "Cookie"));
    assertNull(HeaderValue.joined(headers, "X-B"));
  }

  @Test
  void joinedKeepsBothSpellingsOfRefererApart() {
    Headers headers = Headers.of("Referrer", "a");
    assertNull(HeaderValue.joined(headers, "Referer"));
  }
}
