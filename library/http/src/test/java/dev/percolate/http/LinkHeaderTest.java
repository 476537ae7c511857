package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Links of RFC 8288 section 3: a URI reference and parameters. */
class LinkHeaderTest {

  @Test
  void linksFollowTheValueInTheOrderOfTheMap() {
    Map<String, String> links = new LinkedHashMap<>();
    links.put("prev", "/1?a=b,c;d");
    links.put("first", "http://h/0");
    assertEquals(
        "</2>; rel=\"next\", </1?a=b,c;d>; rel=\"prev\", <http://h/0>; rel=\"first\"",
        LinkHeader.with("</2>; rel=\"next\"", links));
    assertEquals("</1>; rel=\"a\"", LinkHeader.with("", Map.of("a", "/1")));
  }

  @Test
  void aUrlOrRelationCannotAddAnotherLink() {
    assertEquals(
        "<x%3E;%20rel=preload,%20%3Chttp://evil/1.js>; rel=\"next\"",
        LinkHeader.with("", Map.of("next", "x>; rel=preload, <http://evil/1.js")));
    assertEquals(
        "</>; rel=\"a\\\", <b>; rel=\\\"c\"",
        LinkHeader.with("", Map.of("a\", <b>; rel=\"c", "/")));
    assertEquals("<%E2%82%AC%22>; rel=\"a\"", LinkHeader.with("", Map.of("a", "\u20ac\"")));
  }

  @Test
  void urlsAndRelationsAreAscii() {
    assertEquals(
        "<http://x/?p=2&%C3%A9=%E6%97%A5>; rel=\"next\"",
        LinkHeader.with("", Map.of("next", "http://x/?p=2&\u00e9=\u65e5")));
    assertEquals(
        "</a%20b>; rel=\"http://x/%C3%A9\"",
        LinkHeader.with("", Map.of("http://x/\u00e9", "/a b")));
  }

  @Test
  void latin1LinksAreNotEncoded() {
    assertEquals(
        "</\u00e9 %E2%82%AC>; rel=\"a\"",
        HeaderEncoding.LATIN1.links("", Map.of("a", "/\u00e9 \u20ac")));
  }

  @Test
  void lineBreaksAreRejected() {
    assertThrows(
        IllegalArgumentException.class, () -> LinkHeader.with("", Map.of("next", "/a\r\nX: y")));
  }
}
