package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
        "<x%3E; rel=preload, %3Chttp://evil/1.js>; rel=\"next\"",
        LinkHeader.with("", Map.of("next", "x>; rel=preload, <http://evil/1.js")));
    assertEquals(
        "</>; rel=\"a\\\", <b>; rel=\\\"c\"",
        LinkHeader.with("", Map.of("a\", <b>; rel=\"c", "/")));
    assertEquals("<%E2%82%AC%22>; rel=\"a\"", LinkHeader.with("", Map.of("a", "\u20ac\"")));
  }
}
