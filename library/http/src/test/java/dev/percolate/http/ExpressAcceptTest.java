package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The recorded rules of Express for Accept headers. */
final class ExpressAcceptTest {

  private static List<String> listed(String header) {
    return ExpressAccept.parse(header).stream().map(Accept.Entry::value).toList();
  }

  @Test
  void entriesAreSortedByQualityAndKeepTheirOrder() {
    assertEquals(
        List.of("text/plain", "*/*", "text/html", "a/b"),
        listed("a/b;q=.2 , text/html; q=0.5,text/plain,*/*"));
  }

  @Test
  void entriesWithQualityZeroOrInvalidQualityAreDropped() {
    assertEquals(List.of("b/b"), listed("a/a;q=0,b/b,c/c;q=x,d/d;q=,e/e;q,f/f;q=0.0"));
  }

  @Test
  void qualitiesAreLeadingDecimalNumbers() {
    assertEquals(0.5, ExpressAccept.parse("a/b;q=0.5x").get(0).quality());
    assertEquals(0.5, ExpressAccept.parse("a/b;q=.5").get(0).quality());
    assertEquals(7, ExpressAccept.parse("a/b;q=7").get(0).quality());
    assertEquals(1, ExpressAccept.parse("a/b;Q=0.3").get(0).quality());
    assertEquals(0.01, ExpressAccept.parse("a/b;q=1e-2").get(0).quality());
    assertEquals(1, ExpressAccept.parse("a/b;q=1e").get(0).quality());
  }

  @Test
  void entriesKeepTheirParametersAndPosition() {
    Accept.Entry entry = ExpressAccept.parse("x/y;q=0.1, text/html ; level = \"1\";Q=2").get(0);
    assertEquals("text/html", entry.value());
    assertEquals(Map.of("level", "\"1\"", "Q", "2"), entry.params());
    assertEquals("text", entry.type());
    assertEquals("html", entry.subtype());
    assertEquals(1, entry.originalIndex());
    assertNull(ExpressAccept.parse("text").get(0).subtype());
    assertEquals("b", ExpressAccept.parse("a/b/c").get(0).subtype());
  }

  @Test
  void absentAndEmptyHeadersHaveNoEntries() {
    assertEquals(List.of(), ExpressAccept.parse(null));
    assertEquals(List.of(), ExpressAccept.parse(""));
    assertEquals("html", ExpressAccept.best(null, List.of("html", "json"), MimeTypes.express()));
    assertEquals("html", ExpressAccept.best("", List.of("html", "json"), MimeTypes.express()));
    assertNull(ExpressAccept.best(null, List.of(), MimeTypes.express()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "application/json|html,json|json",
        "text/html|html,json|html",
        "*/*,application/json|html,json|html",
        "application/json,*/*|html,json|json",
        "text/*|json , .txt|.txt",
        "*/html|html|html",
        "application/json;q=0,*/*|json|json",
        "application/json|a.json|a.json",
        "text/html;level=1|text/html;level=1|text/html;level=1",
        "text/html;level=1;x=2|text/html;level=1|text/html;level=1",
        "text/html;q=0.5,application/json|html,json|json",
        "application/octet-stream|unknownext|unknownext",
        "text/html;level=1|html|html"
      })
  void theBestOfferIsReturnedAsGiven(String accept, String offers, String expected) {
    assertEquals(expected, Negotiation.EXPRESS.best(accept, offers, MimeTypes.express()));
  }

  @ParameterizedTest
  @CsvSource({
    "text/html,json",
    "*,html",
    "Text/HTML,html",
    "text/html;q=0,html",
    "text/html,text/html;level=1",
    "text/html;level=2,text/html;level=1",
    "text,text/html",
    "text/htm,html"
  })
  void otherOffersDoNotMatch(String accept, String offer) {
    assertNull(ExpressAccept.best(accept, List.of(offer), MimeTypes.express()));
  }

  @Test
  void offersInAListAreNotSplitAtCommas() {
    assertNull(ExpressAccept.best("text/html", List.of("html,json"), MimeTypes.express()));
  }

  @Test
  void charsetsAndLanguagesAreListedByQuality() {
    assertTrue(ExpressAccept.allows("de, en", "en"));
    assertTrue(ExpressAccept.allows(null, "en"));
    assertTrue(ExpressAccept.allows("de;q=0", "en"));
    assertFalse(ExpressAccept.allows("de", "en"));
    assertFalse(ExpressAccept.allows("*", "en"));
    assertFalse(ExpressAccept.allows("en-us, EN", "en"));
  }

  @Test
  void encodingsAreReturnedAsWritten() {
    assertEquals(List.of("gzip;q=0.8", "br", "x;q=0"), Accept.encodings(" gzip;q=0.8 , br,x;q=0 "));
    assertEquals(List.of(), Accept.encodings(null));
    assertTrue(ExpressAccept.allowsEncoding("gzip, br", "br"));
    assertFalse(ExpressAccept.allowsEncoding("gzip;q=0.8", "gzip"));
    assertFalse(ExpressAccept.allowsEncoding("*", "gzip"));
    assertFalse(ExpressAccept.allowsEncoding(null, "identity"));
  }

  @ParameterizedTest
  @ValueSource(strings = {";q=", ",", ";", "=", " ", ";q=0.1,", "a/b,", "a/b;q=9"})
  void hostileHeadersAreReadInOnePass(String piece) {
    assertNull(ExpressAccept.best(piece.repeat(25_000), List.of("html"), MimeTypes.express()));
  }
}
