package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that describe a body: RFC 9110 sections 8 and 15.4.5, RFC 9111 section 3. */
class RepresentationTest {

  @Test
  void aBanOnCachingInNginxIsKept() {
    Headers headers = Headers.of("X-Accel-Expires", "0", "X-Accel-Redirect", "/a");
    Representation.removeFrom(headers);
    assertEquals("0", headers.get("X-Accel-Expires"));
    assertFalse(headers.contains("X-Accel-Redirect"));
  }

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
  void bodyHeadersDescribeTheBody(String name) {
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
  void otherHeadersDoNotDescribeTheBody(String name) {
    assertFalse(Representation.describes(name));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "public, max-age=31536000, immutable|null",
        "max-age=60|null",
        "no-store|no-store",
        "No-Store, max-age=60|No-Store",
        "private, max-age=3600, stale-while-revalidate=60|private",
        "no-cache=\"Set-Cookie, X\", max-age=5|no-cache=\"Set-Cookie, X\"",
        "must-revalidate,no-transform,s-maxage=9|must-revalidate, no-transform",
        "must-understand, no-store|no-store"
      },
      nullValues = "null")
  void anErrorKeepsDirectivesThatRestrictCaches(String value, @Nullable String kept) {
    for (String name : List.of("Cache-Control", "CDN-Cache-Control", "Surrogate-Control")) {
      Headers headers = Headers.of("X", "1", name, value);
      Representation.removeFrom(headers);
      assertEquals(kept, headers.get(name), name);
    }
    Headers lines = Headers.of("Cache-Control", "max-age=5", "Cache-Control", "no-store");
    Representation.removeFrom(lines);
    assertEquals("Cache-Control: no-store\n", lines.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "'Thu, 01 Jan 1970 00:00:00 GMT',true",
    "0,true",
    "-1,true",
    "'Fri, 31 Dec 9999 23:59:59 GMT',false"
  })
  void anErrorKeepsExpiresInThePast(String value, boolean kept) {
    Headers headers = Headers.of("Expires", value);
    Representation.removeFrom(headers);
    assertEquals(kept, headers.contains("Expires"));
  }

  @Test
  void namedHeadersAreKept() {
    Headers headers = Headers.of("ETag", "a", "Content-Type", "b", "content-range", "c");
    Representation.removeFrom(headers, "Content-Type", "Content-Range");
    assertEquals("Content-Type: b\ncontent-range: c\n", headers.toString());
  }

  @Test
  void aNotModifiedResponseKeepsOnlyHeadersThatUpdateCaches() {
    String kept =
        """
        ETag: e
        Last-Modified: l
        Cache-Control: c
        Expires: x
        Vary: v
        Date: d
        Content-Location: /
        Content-Security-Policy: p
        Set-Cookie: s
        Accept-Ranges: b
        """;
    Headers headers = new Headers();
    kept.lines().map(line -> line.split(": ", 2)).forEach(pair -> headers.add(pair[0], pair[1]));
    for (String name :
        List.of(
            "Content-Type",
            "content-length",
            "Content-Encoding",
            "Content-Language",
            "Content-Disposition",
            "Content-Range",
            "Content-Digest",
            "Repr-Digest",
            "Transfer-Encoding")) {
      headers.add(name, "gone");
    }
    Representation.removeFromNotModified(headers);
    assertEquals(kept, headers.toString());
  }

  @Test
  void copiesOmitHeadersOfTheBody() {
    Headers headers = Headers.of("X", "1", "ETag", "a", "Set-Cookie", "b", "set-cookie", "c");
    assertEquals(
        "X: 1\nSet-Cookie: b\nset-cookie: c\n", Representation.undescribed(headers).toString());
    assertEquals(4, headers.size());
  }
}
