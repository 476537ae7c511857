package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.Accept;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestAcceptsTest {

  @Test
  void withoutTheHeaderTheFirstOfferIsChosen() {
    assertEquals("xml", with().accepts("xml", "json"));
    assertEquals("xml", with().accepts("xml, json"));
    assertEquals("xml", with("Accept", "").accepts("xml", "json"));
    assertNull(with().accepts());
  }

  @Test
  void oneStringIsSplitAtCommasButSeveralAreNot() {
    Request req = with("Accept", "text/plain, application/json;q=0.5");
    assertEquals("json", req.accepts("html , json"));
    assertEquals("text", req.accepts("json,text"));
    assertNull(req.accepts("json,text", "html"));
  }

  @Test
  void theOfferIsReturnedUnchanged() {
    Request req = with("Accept", "application/json");
    assertEquals(".json", req.accepts(".json"));
    assertEquals("a.json", req.accepts("html", "a.json"));
    assertEquals("application/json", req.accepts("application/json"));
    assertNull(req.accepts("text/html"));
  }

  @Test
  void qualityThenTheMostSpecificEntryDecides() {
    assertEquals("html", with("Accept", "text/*;q=.5, text/html").accepts("text", "html"));
    assertEquals("html", with("Accept", "*/*, text/html").accepts("text", "html"));
    assertEquals("html", with("Accept", "TEXT/HTML").accepts("text", "html"));
    assertNull(with("Accept", "text/html;q=0, */*").accepts("html"));
    assertNull(with("Accept", "text/html;q=0").accepts("html"));
  }

  @Test
  void theSettingRestoresTheRulesOfExpress() {
    FakeExchange exchange =
        FakeExchange.of(
            "GET",
            "/",
            "Accept",
            "*/*, text/html;q=0",
            "Accept-Charset",
            "UTF-8",
            "Accept-Language",
            "en-GB, *",
            "Accept-Encoding",
            "gzip;q=0.5",
            "Content-Type",
            "Application/JSON");
    Request req = exchange.request();
    assertEquals("text", req.accepts("html", "text"));
    assertTrue(req.acceptsCharset("utf-8"));
    assertTrue(req.acceptsLanguage("en"));
    assertTrue(req.acceptsEncoding("gzip"));
    assertTrue(req.is("json"));
    assertTrue(req.is("APPLICATION/*"));
    exchange.setting("content negotiation", "express");
    assertEquals("html", req.accepts("html", "text"));
    assertFalse(req.acceptsCharset("utf-8"));
    assertFalse(req.acceptsLanguage("en"));
    assertFalse(req.acceptsEncoding("gzip"));
    assertFalse(req.is("json"));
    assertThrows(
        IllegalArgumentException.class, () -> exchange.setting("content negotiation", "strict"));
  }

  @Test
  void severalAcceptHeadersAreOneList() {
    Request req = with("Accept", "text/html;q=0.1", "accept", "application/json");
    assertEquals("json", req.accepts("html", "json"));
    assertEquals(
        List.of("application/json", "text/html"),
        req.accepted().stream().map(Accept.Entry::value).toList());
  }

  @Test
  void acceptedReturnsAllPartsOfEachEntry() {
    Accept.Entry entry = with("Accept", "a/b;q=.3, text/html;level=1").accepted().get(1);
    assertEquals("a/b", entry.value());
    assertEquals(0.3, entry.quality());
    assertEquals("a", entry.type());
    assertEquals("b", entry.subtype());
    assertEquals(0, entry.originalIndex());
    assertEquals(List.of(), with().accepted());
  }

  @Test
  void charsetsAndLanguagesAreCaseInsensitive() {
    Request req =
        with("Accept-Charset", "utf-8;q=.2, iso-8859-1", "Accept-Language", "de;q=.1, en-GB");
    assertEquals(List.of("iso-8859-1", "utf-8"), req.acceptedCharsets());
    assertEquals(List.of("en-GB", "de"), req.acceptedLanguages());
    assertTrue(req.acceptsCharset("utf-8"));
    assertTrue(req.acceptsCharset("UTF-8"));
    assertFalse(req.acceptsCharset("koi8-r"));
    assertTrue(req.acceptsLanguage("en-gb"));
    assertTrue(req.acceptsLanguage("de-CH"));
    assertFalse(req.acceptsLanguage("fr"));
    assertTrue(with("Accept-Language", "*").acceptsLanguage("en"));
  }

  @Test
  void aClientWithoutCharsetsOrLanguagesAcceptsAll() {
    Request req = with();
    assertEquals(List.of(), req.acceptedCharsets());
    assertEquals(List.of(), req.acceptedLanguages());
    assertTrue(req.acceptsCharset("x"));
    assertTrue(req.acceptsLanguage("y"));
    Request none = with("Accept-Charset", "x;q=0", "Accept-Language", "y;q=0");
    assertEquals(List.of(), none.acceptedCharsets());
    assertFalse(none.acceptsCharset("x"));
    assertFalse(none.acceptsLanguage("y"));
  }

  @Test
  void encodingsKeepTheirOrderAndQualities() {
    Request req = with("Accept-Encoding", "deflate;q=0 , gzip,*");
    assertEquals(List.of("deflate;q=0", "gzip", "*"), req.acceptedEncodings());
    assertTrue(req.acceptsEncoding("gzip"));
    assertFalse(req.acceptsEncoding("deflate"));
    assertTrue(req.acceptsEncoding("br"));
    assertTrue(with().acceptsEncoding("identity"));
    assertFalse(with().acceptsEncoding("gzip"));
    assertEquals(List.of(), with().acceptedEncodings());
  }

  @ParameterizedTest
  @ValueSource(strings = {";", "=", ";;;q", "a/b;q=", "/", "//", " , ;q=;q=1", "\u00ff"})
  void malformedHeadersMatchNothing(String junk) {
    Request req =
        with(
            "Accept", junk,
            "Accept-Charset", junk,
            "Accept-Language", junk,
            "Accept-Encoding", junk);
    assertNull(req.accepts("json"));
    assertFalse(req.acceptsEncoding("gzip"));
    req.acceptsCharset("x");
    req.acceptsLanguage("x");
    req.accepted().forEach(entry -> assertTrue(entry.quality() > 0));
  }

  private static Request with(String... headers) {
    return FakeExchange.of("GET", "/", headers).request();
  }
}
