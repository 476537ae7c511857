package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AcceptTest {

  private static List<String> listed(String header) {
    return Accept.parse(header).stream().map(Accept.Entry::value).toList();
  }

  @Test
  void entriesAreSortedByQualityAndKeepTheirOrder() {
    assertEquals(
        List.of("text/plain", "*/*", "text/html", "a/b"),
        listed("a/b;q=.2 , text/html; q=0.5,text/plain,*/*"));
  }

  @Test
  void refusedAndUnreadableEntriesAreDropped() {
    assertEquals(List.of("b/b"), listed("a/a;q=0,b/b,c/c;q=x,d/d;q=,e/e;q,f/f;q=0.0"));
  }

  @Test
  void qualitiesAreLeadingDecimalNumbers() {
    assertEquals(0.5, Accept.parse("a/b;q=0.5x").get(0).quality());
    assertEquals(0.5, Accept.parse("a/b;q=.5").get(0).quality());
    assertEquals(7, Accept.parse("a/b;q=7").get(0).quality());
    assertEquals(1, Accept.parse("a/b;Q=0.3").get(0).quality());
    assertEquals(0.01, Accept.parse("a/b;q=1e-2").get(0).quality());
    assertEquals(1, Accept.parse("a/b;q=1e").get(0).quality());
  }

  @Test
  void entriesKeepTheirParametersAndPosition() {
    Accept.Entry entry = Accept.parse("x/y;q=0.1, text/html ; level = \"1\";Q=2").get(0);
    assertEquals("text/html", entry.value());
    assertEquals(Map.of("level", "\"1\"", "Q", "2"), entry.params());
    assertEquals("text", entry.type());
    assertEquals("html", entry.subtype());
    assertEquals(1, entry.originalIndex());
    assertNull(Accept.parse("text").get(0).subtype());
    assertEquals("b", Accept.parse("a/b/c").get(0).subtype());
  }

  @Test
  void absentAndEmptyHeadersAreNotThere() {
    assertEquals(List.of(), Accept.parse(null));
    assertEquals(List.of(), Accept.parse(""));
    assertEquals("html", Accept.best(null, List.of("html", "json")));
    assertEquals("html", Accept.best("", "html, json"));
    assertNull(Accept.best(null, List.of()));
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
    assertEquals(expected, Accept.best(accept, offers));
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
    assertNull(Accept.best(accept, List.of(offer)));
  }

  @Test
  void anOfferOfAListMayHoldACommaAndIsNotSplit() {
    assertNull(Accept.best("text/html", List.of("html,json")));
  }

  @Test
  void charsetsAndLanguagesAreListedByQuality() {
    assertEquals(List.of("en", "de"), Accept.values("de;q=0.5, en, fr;q=0"));
    assertTrue(Accept.allows("de, en", "en"));
    assertTrue(Accept.allows(null, "en"));
    assertTrue(Accept.allows("de;q=0", "en"));
    assertFalse(Accept.allows("de", "en"));
    assertFalse(Accept.allows("*", "en"));
    assertFalse(Accept.allows("en-us, EN", "en"));
  }

  @Test
  void encodingsStayAsTheyAreWritten() {
    assertEquals(List.of("gzip;q=0.8", "br", "x;q=0"), Accept.encodings(" gzip;q=0.8 , br,x;q=0 "));
    assertEquals(List.of(), Accept.encodings(null));
    assertTrue(Accept.allowsEncoding("gzip, br", "br"));
    assertFalse(Accept.allowsEncoding("gzip;q=0.8", "gzip"));
    assertFalse(Accept.allowsEncoding("*", "gzip"));
    assertFalse(Accept.allowsEncoding(null, "identity"));
  }

  @ParameterizedTest
  @ValueSource(strings = {";q=", ",", ";", "=", " ", ";q=0.1,", "a/b,", "a/b;q=9"})
  void hostileHeadersAreReadInOnePass(String piece) {
    assertNull(Accept.best(piece.repeat(25_000), List.of("html")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip, deflate, br|br gzip",
        "gzip|gzip",
        "GZip , BR|br gzip",
        "x-gzip|gzip",
        "gzip;q=1.0, br;q=0.8|gzip br",
        "gzip ; q=0.5, br; q=0.7|br gzip",
        "br;q=0, gzip|gzip",
        "*|br gzip zstd",
        "*;q=0|",
        "br;q=0, *;q=0.1|gzip zstd",
        "gzip;q=0.5, *|br zstd gzip",
        "identity|",
        "identity, gzip;q=0.5|",
        "identity;q=0.5, gzip;q=0.5|gzip",
        "identity;q=0|",
        "identity;q=0, gzip|gzip",
        "gzip;q=x|",
        "gzip;q=-1|",
        "gzip;q=0, gzip|",
        "gzipped, brr|",
        "''|",
        ",,;;=|"
      })
  void codingsAreChosenByQualityThenByTheServersOrder(String header, @Nullable String chosen) {
    assertEquals(
        chosen == null ? "" : chosen,
        String.join(" ", Accept.codings(header, List.of("br", "gzip", "zstd"))));
  }

  @Test
  void withoutAcceptEncodingThereIsNoCoding() {
    assertEquals(List.of(), Accept.codings(null, List.of("br")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "*/*|text/html",
        "text/*|text/html",
        "text/plain, text/html|text/plain",
        "text/plain;q=0.9, application/json;q=0.8|text/plain",
        "text/html;q=0.1, */*|application/json",
        "text/html;q=0, text/*;q=0.2|text/plain",
        "TEXT/Plain|text/plain",
        "text/html;level=1, application/json;q=0.1|application/json",
        "image/png|",
        "text/html;q=x|",
        "application/*;q=0.5, application/json;q=0|"
      })
  void theMostSpecificEntrySaysHowMuchAnOfferIsLiked(String header, @Nullable String best) {
    List<String> offers = List.of("text/html", "application/json", "text/plain");
    assertEquals(best, Accept.preferred(header, offers));
  }

  @Test
  void withoutTheHeaderTheFirstOfferIsPreferred() {
    assertEquals("a/b", Accept.preferred(null, List.of("a/b", "c/d")));
    assertEquals("a/b", Accept.preferred("", List.of("a/b", "c/d")));
  }
}
