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

/** Content negotiation according to RFC 9110 section 12.5 and RFC 4647. */
final class AcceptTest {

  private static List<String> listed(String header) {
    return Accept.parse(header).stream().map(Accept.Entry::value).toList();
  }

  @Test
  void entriesAreSortedByWeightAndKeepTheirOrder() {
    assertEquals(
        List.of("text/plain", "*/*", "text/html", "a/b"),
        listed("a/b;q=.2 , text/html; q=0.5,text/plain,*/*"));
  }

  @Test
  void entriesWithWeightZeroOrInvalidWeightAreDropped() {
    assertEquals(List.of("b/b"), listed("a/a;q=0,b/b,c/c;q=x,d/d;q=,e/e;q,f/f;q=0.0,g/g;q=-1"));
  }

  /** RFC 9110 section 12.4.2. */
  @Test
  void weightsAreLimitedToOneAndTheirNameHasAnyLetterCase() {
    assertEquals(0.5, Accept.parse("a/b;q=0.5x").get(0).quality());
    assertEquals(0.5, Accept.parse("a/b;q=.5").get(0).quality());
    assertEquals(0.5, Accept.parse("a/b ; Q = 0.5").get(0).quality());
    assertEquals(1, Accept.parse("a/b;q=7").get(0).quality());
    assertEquals(0.01, Accept.parse("a/b;q=1e-2").get(0).quality());
  }

  /** RFC 9110 section 5.6.1.2. */
  @Test
  void emptyEntriesAreIgnored() {
    assertEquals(List.of("a/b", "c/d"), listed(", ,a/b,, c/d ,"));
    assertTrue(Accept.allowsCharset(",", "utf-8"));
  }

  /** RFC 9110 section 5.6.4. */
  @Test
  void quotedCommasAndSemicolonsAreNotSeparators() {
    Accept.Entry entry = Accept.parse("a/b;x=\"1,2;q=0\\\"\";q=0.5, c/d;q=0.1").get(0);
    assertEquals("a/b", entry.value());
    assertEquals(0.5, entry.quality());
    assertEquals(Map.of("x", "1,2;q=0\""), entry.params());
  }

  @Test
  void entriesKeepTheirParametersAndPosition() {
    Accept.Entry entry = Accept.parse("x/y;q=0.1, text/html ; level = \"1\";token").get(0);
    assertEquals("text/html", entry.value());
    assertEquals("1", entry.params().get("level"));
    assertTrue(entry.params().containsKey("token"));
    assertEquals("text", entry.type());
    assertEquals("html", entry.subtype());
    assertEquals(1, entry.originalIndex());
    assertNull(Accept.parse("text").get(0).subtype());
    assertEquals("b", Accept.parse("a/b/c").get(0).subtype());
  }

  @Test
  void absentAndEmptyHeadersHaveNoEntries() {
    assertEquals(List.of(), Accept.parse(null));
    assertEquals(List.of(), Accept.parse(""));
    assertEquals("html", Accept.best(null, List.of("html", "json")));
    assertEquals("html", Negotiation.STANDARD.best("", "html, json", MimeTypes.standard()));
    assertNull(Accept.best(null, List.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // letter case (section 8.3.1)
        "TEXT/HTML|html|html",
        "application/JSON|html,json|json",
        "Text/*|html|html",
        "text/html|TEXT/HTML|TEXT/HTML",
        "text/html;LEVEL=A|text/html;level=a|text/html;level=a",
        // the most specific entry sets the weight, and wins among equal weights (section 12.5.1)
        "*/*,application/json|html,json|json",
        "application/*;q=0.9,*/*|html,json|html",
        "text/*;q=0.3, text/plain;q=0.7|html,text|text",
        "text/html;q=0.1,*/*;q=0.5|html,json|json",
        "text/html;q=0.1,*/*;q=0.05|html,json|html",
        "application/json,*/*|html,json|json",
        "application/json,text/html|html,json|json",
        "text/html;q=0.2,text/html;q=0.9,application/json;q=0.5|html,json|html",
        // parameters
        "text/html;level=1|text/html;level=1,html|text/html;level=1",
        "text/html;level=2|text/html;level=1,html|html",
        "text/html|text/html;level=1,html|text/html;level=1",
        "text/html;level=1;q=0.4,text/html;q=0.7|text/html;level=1,html|html",
        "text/html;level=1|html|html",
        "application/json;version=1|json|json",
        "application/json;charset=utf-8|json|json",
        "text/html;charset=iso-8859-1;q=0.5,application/json;q=0.1|html,json|html",
        "text/html;level=1,application/json;q=0.1|html,json|json",
        // offers
        "text/*|json , .txt|.txt",
        "application/json|a.json|a.json",
        "application/octet-stream|unknownext|unknownext",
        // the JDK's HttpURLConnection
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2|json|json",
        "*|html,json|html",
        "*, application/json|html,json|json"
      })
  void theBestOfferIsReturnedAsGiven(String accept, String offers, String expected) {
    assertEquals(expected, Negotiation.STANDARD.best(accept, offers, MimeTypes.standard()));
  }

  @ParameterizedTest
  @CsvSource({
    "text/html,json",
    "text/html;q=0,html",
    "'text/html;q=0, */*',html",
    "'text/html;q=0.0, text/*;q=0.1',html",
    "'TEXT/html;Q=0, */*',html",
    "'application/json;q=0, application/json;version=1',json",
    "application/json;version=1;q=0,json",
    "text/html;level=2,text/html;level=1",
    "text/html;q=high,html",
    "text,text/html",
    "text/htm,html"
  })
  void returnsNullIfNoOfferIsAcceptable(String accept, String offer) {
    assertNull(Accept.best(accept, List.of(offer)));
  }

  @Test
  void offersInAListAreNotSplitAtCommas() {
    assertNull(Accept.best("text/html", List.of("html,json")));
  }

  /** RFC 9110 sections 8.3.2 and 12.5.2. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "null|true",
        "''|true",
        "utf-8|true",
        "UTF-8|true",
        "iso-8859-1, Utf-8;q=0.1|true",
        "*|true",
        "*;q=0.1, ascii|true",
        "iso-8859-1|false",
        "utf-8;q=0|false",
        "UTF-8;Q=0, *|false",
        "*;q=0|false",
        "*;q=0, utf-8|true"
      })
  void aCharsetIsAcceptedByNameOrWildcard(@Nullable String header, boolean accepted) {
    assertEquals(accepted, Accept.allowsCharset(header, "utf-8"));
  }

  /** RFC 9110 section 12.5.4; RFC 4647 sections 2, 3.3.1 and 3.4. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "null|en|true",
        "''|en|true",
        "en|en|true",
        "EN|en|true",
        "fr, EN;q=0.1|en|true",
        "*|en|true",
        "*;q=0|en|false",
        "de|en|false",
        "en;q=0|en|false",
        // a range matches the tags that begin with it
        "en|en-GB|true",
        "en|EN-gb|true",
        "zh-Hant|zh-hant-TW|true",
        "en|eng|false",
        "en-|en-GB|false",
        // the longest matching range sets the weight
        "en, en-GB;q=0|en-GB|false",
        "en;q=0, en-GB|en-GB|true",
        "en;q=0, en-GB|en-US|false",
        "en-GB;q=0, *|en-GB|false",
        "*, en;q=0|en-GB|false",
        // lookup: a client that asks for en-GB also accepts en
        "en-US|en|true",
        "de-CH, fr;q=0.5|de|true",
        "zh-Hant-TW|zh|true",
        "en-GB, *;q=0|en|true",
        "en-GB;q=0, fr|en|false",
        "en-GB;q=0, *|en|true",
        "eng|en|false",
        ";q=1|en|false",
        // names of Java's locales
        "en|en_GB|true",
        "en_GB, fr;q=0.5|en-GB|true",
        "en_GB|en|true",
        "en_GB|en_US|false"
      })
  void aLanguageIsAcceptedByFilteringAndLookup(
      @Nullable String header, String tag, boolean accepted) {
    assertEquals(accepted, Accept.allowsLanguage(header, tag));
  }

  @Test
  void encodingsAreReturnedAsWritten() {
    assertEquals(List.of("gzip;q=0.8", "br", "x;q=0"), Accept.encodings(" gzip;q=0.8 , br,x;q=0 "));
    assertEquals(List.of(), Accept.encodings(null));
  }

  /** RFC 9110 sections 8.4.1.3 and 12.5.3. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "gzip, br|br|true",
        "gzip;q=0.8|gzip|true",
        "GZIP|gzip|true",
        "gzip|GZip|true",
        "x-gzip|gzip|true",
        "gzip|x-gzip|true",
        "X-Compress|compress|true",
        "*|gzip|true",
        "gzip;q=0, *|gzip|false",
        "*;q=0|gzip|false",
        "br|gzip|false",
        "null|gzip|false",
        "''|gzip|false",
        "null|identity|true",
        "''|identity|true",
        "gzip|identity|true",
        "identity;q=0, gzip|identity|false",
        "*;q=0|identity|false",
        "*;q=0, identity;q=0.1|identity|true"
      })
  void aCodingIsAcceptedIfItIsListedAndIdentityUnlessItIsExcluded(
      @Nullable String header, String coding, boolean accepted) {
    assertEquals(accepted, Accept.allowsEncoding(header, coding));
  }

  @ParameterizedTest
  @ValueSource(strings = {";q=", ";", "=", ";q=0.1,", "a/b,", "a/b;q=9", "\"", "\"\\"})
  void hostileHeadersAreReadInOnePass(String piece) {
    String header = piece.repeat(25_000);
    assertNull(Accept.best(header, List.of("html")));
    assertFalse(Accept.allowsLanguage("fr," + header, "en"));
    assertFalse(Accept.allowsEncoding(header, "gzip"));
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
        "identity;q=x, gzip|gzip",
        "GZIP;Q=0.5, br;q=0.7|br gzip",
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
  void theMostSpecificEntrySetsTheWeight(String header, @Nullable String best) {
    List<String> offers = List.of("text/html", "application/json", "text/plain");
    assertEquals(best, Accept.best(header, offers));
  }

  @Test
  void withoutTheHeaderTheFirstOfferIsPreferred() {
    assertEquals("a/b", Accept.best(null, List.of("a/b", "c/d")));
    assertEquals("a/b", Accept.best("", List.of("a/b", "c/d")));
  }

  @Test
  void aListOfEmptyElementsIsEmpty() {
    for (String header : List.of(",", " ", ", ,", ",".repeat(25_000))) {
      assertEquals("a/b", Accept.best(header, List.of("a/b", "c/d")));
    }
  }
}
