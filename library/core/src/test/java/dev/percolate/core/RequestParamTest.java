package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RequestParamTest {

  private final Request req = FakeExchange.of("GET", "/x?id=query&q=1&e=&l=1&l=2&m[a]=b").request();

  @Test
  void thePathComesBeforeTheBodyAndThatBeforeTheQuery() {
    assertEquals("query", req.param("id"));
    RequestControl.body(req, Map.of("id", "body", "b", 2));
    assertEquals("body", req.param("id"));
    req.params().set("id", "path");
    assertEquals("path", req.param("id"));
    assertEquals(2, req.param("b"));
    assertEquals("1", req.param("q"));
    assertNull(req.param("none"));
    assertEquals("fallback", req.param("none", "fallback"));
  }

  @Test
  void emptyStringsZeroAndFalseAreValuesAndNullIsNot() {
    Map<String, @Nullable Object> body = new HashMap<>();
    body.put("zero", 0);
    body.put("no", false);
    body.put("empty", "");
    body.put("q", null);
    RequestControl.body(req, body);
    req.params().set("none", null);
    assertEquals(0, req.param("zero", 1));
    assertEquals(false, req.param("no", true));
    assertEquals("", req.param("empty", "x"));
    assertEquals("", req.param("e", "x"));
    assertEquals("1", req.param("q", "x"));
    assertEquals("x", req.param("none", "x"));
  }

  @Test
  void nestedValuesAreNotConverted() {
    assertEquals(List.of("1", "2"), req.param("l"));
    assertEquals(Map.of("a", "b"), req.param("m"));
    RequestControl.body(req, Map.of("m", List.of(1)));
    assertEquals(List.of(1), req.param("m"));
  }

  @Test
  void capturesAreFoundByIndex() {
    req.params().set("0", "first");
    assertEquals("first", req.param("0"));
    assertNull(req.param("length"));
    assertNull(req.param("1"));
  }

  @Test
  void onlyBodiesThatAreMapsHaveParameters() {
    for (Object body : List.of("text", 7, List.of("x"), new byte[1])) {
      RequestControl.body(req, body);
      assertNull(req.param("0"));
      assertEquals("query", req.param("id"));
    }
  }

  @Test
  void queryReturnsTheFirstStringAndQueryAllReturnsAll() {
    assertEquals("1", req.query("l"));
    assertEquals(List.of("1", "2"), req.queryAll("l"));
    assertEquals(List.of("1"), req.queryAll("q"));
    assertEquals(List.of(""), req.queryAll("e"));
    assertEquals(List.of(), req.queryAll("m"));
    assertEquals(List.of(), req.queryAll("none"));
    assertNull(req.query("m"));
  }

  @Test
  @DisplayName("QS-11: lists and maps instead of strings are not an error")
  void queryAllOmitsOtherValues() {
    Request nested = FakeExchange.of("GET", "/?a=1&a[b]=2&c[]=1&c[][d]=2&c[]=3").request();
    assertEquals(List.of("1"), nested.queryAll("a"));
    assertEquals(List.of("3"), nested.queryAll("c"));
  }

  @Test
  void theQueryIsReadFromTheOriginalUrl() {
    req.url("/other?id=changed");
    assertEquals("query", req.param("id"));
    assertThrows(UnsupportedOperationException.class, () -> req.queryAll("l").add("3"));
  }
}
