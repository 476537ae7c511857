package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepresentationTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length",
        "content-type",
        "Content-Encoding",
        "Content-Disposition",
        "Content-Range",
        "ETag",
        "Last-Modified",
        "Accept-Ranges",
        "Cache-Control",
        "EXPIRES",
        "Transfer-Encoding"
      })
  void headersOfTheBodyDescribeIt(String name) {
    assertTrue(Representation.describes(name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Security-Policy",
        "content-security-policy-report-only",
        "Set-Cookie",
        "Vary",
        "X-Request-Id",
        "Access-Control-Allow-Origin",
        "Strict-Transport-Security",
        "Content"
      })
  void othersDoNot(String name) {
    assertFalse(Representation.describes(name));
  }

  @Test
  void whatDescribesTheBodyIsLeftOutOfACopy() {
    Headers headers = Headers.of("X", "1", "ETag", "a", "Set-Cookie", "b", "set-cookie", "c");
    assertEquals(
        "X: 1\nSet-Cookie: b\nset-cookie: c\n", Representation.undescribed(headers).toString());
    assertEquals(4, headers.size());
  }
}
