package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.Range;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestConditionsTest {

  @Test
  void theCopyIsFreshIfItsTagMatches() {
    Request req = with("If-None-Match", "\"a\", \"b\"");
    assertTrue(req.stale());
    req.response().set("ETag", "\"b\"");
    assertTrue(req.fresh());
    assertFalse(req.stale());
    req.response().set("ETag", "W/\"b\"");
    assertTrue(req.fresh());
  }

  @Test
  void theDateIsIgnoredIfThereIsATag() {
    String date = "Tue, 10 Oct 2000 13:55:36 GMT";
    Request req = with("If-None-Match", "\"a\"", "If-Modified-Since", date);
    req.response().set("Last-Modified", date);
    assertTrue(req.stale());
    req.response().set("ETag", "\"a\"");
    assertTrue(req.fresh());
    req.response().set("Last-Modified", "Tue, 10 Oct 2000 13:55:37 GMT");
    assertTrue(req.fresh());
  }

  @Test
  void bothMustMatchByTheRulesOfExpress() {
    String date = "Tue, 10 Oct 2000 13:55:36 GMT";
    Request req =
        FakeExchange.of("GET", "/", "If-None-Match", "\"a\"", "If-Modified-Since", date)
            .setting("conditional requests", "express")
            .request();
    req.response().set("ETag", "\"a\"");
    assertTrue(req.stale());
    req.response().set("Last-Modified", date);
    assertTrue(req.fresh());
    req.response().set("Last-Modified", "Tue, 10 Oct 2000 13:55:37 GMT");
    assertTrue(req.stale());
  }

  @Test
  void aVersionThatTheClientDoesNotExpectIsStale() {
    Request req = with("If-Match", "\"b\"", "If-None-Match", "\"a\"");
    req.response().set("ETag", "\"a\"");
    assertTrue(req.stale());
  }

  @ParameterizedTest
  @CsvSource({
    "GET, 200, true",
    "HEAD, 204, true",
    "GET, 304, true",
    "GET, 299, true",
    "GET, 300, false",
    "GET, 404, false",
    "POST, 200, false",
    "get, 200, false",
    "OPTIONS, 200, false"
  })
  void freshDependsOnMethodAndStatus(String method, int status, boolean fresh) {
    Request req = FakeExchange.of(method, "/", "If-None-Match", "*").request();
    req.response().status(status);
    assertEquals(fresh, req.fresh());
    assertEquals(!fresh, req.stale());
  }

  @Test
  void aRangeIsLimitedToTheSize() {
    Range range = with("Range", "bytes=5-,-3,0-99").range(10);
    assertNotNull(range);
    assertEquals("bytes", range.unit());
    assertEquals(
        List.of(new Range.Part(5, 9), new Range.Part(7, 9), new Range.Part(0, 9)), range.parts());
    assertNull(with().range(10));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"bytes|-2", "bytes=|-1", "bytes=9-1|-1", "bytes=-0|-1", "x=10-|-1", "=0-0|0"})
  void anInvalidRangeHasACode(String header, int code) {
    Range range = with("Range", header).range(10);
    assertNotNull(range);
    assertEquals(code, range.code());
  }

  @ParameterizedTest
  @ValueSource(strings = {"XMLHttpRequest", "xmlhttprequest", "XMLHTTPREQUEST"})
  void xhrIsCaseInsensitive(String value) {
    assertTrue(with("X-Requested-With", value).xhr());
    assertFalse(with("X-Requested-With", value + "s").xhr());
    assertFalse(with().xhr());
  }

  private static Request with(String... headers) {
    return FakeExchange.of("GET", "/", headers).request();
  }
}
