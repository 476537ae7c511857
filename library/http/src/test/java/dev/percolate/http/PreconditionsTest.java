package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Evaluation of preconditions according to RFC 9110 section 13.1. */
class PreconditionsTest {

  private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
  private static final String EARLIER = "Sun, 06 Nov 1994 08:49:36 GMT";
  private static final String LATER = "Sun, 06 Nov 1994 08:49:38 GMT";
  private static final Instant CHANGED = Instant.parse("1994-11-06T08:49:37.900Z");
  private static final Validators STRONG = Validators.of("\"a\"", CHANGED);
  private static final Validators WEAK = Validators.of("W/\"a\"", CHANGED);
  private static final Validators DATED = Validators.of(null, CHANGED);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"a\"",
        "W/\"a\"",
        "*",
        " * ",
        "\"x\" , \"a\"",
        "\"x\",W/\"a\"",
        ", ,\"a\",",
        "\"x,y\",\t\"a\""
      })
  void ifNoneMatchComparesWeakly(String list) {
    Headers request = Headers.of("If-None-Match", list);
    assertTrue(Preconditions.unchanged(request, STRONG));
    assertTrue(Preconditions.unchanged(request, WEAK));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "\"A\"",
        "w/\"a\"",
        "**",
        "\"b\", \"c\"",
        "\"a\" x",
        "\"x, \"a\"",
        "x, *"
      })
  void ifNoneMatchWithoutAnEqualTagDoesNotMatch(String list) {
    Headers request = Headers.of("If-None-Match", list);
    assertFalse(Preconditions.unchanged(request, STRONG));
    assertFalse(Preconditions.unchanged(request, WEAK));
  }

  @Test
  void aCommaMayBePartOfATag() {
    Validators comma = Validators.of("\"a,b\"", null);
    assertTrue(Preconditions.unchanged(Headers.of("If-None-Match", "\"x\",\"a,b\""), comma));
    assertFalse(Preconditions.unchanged(Headers.of("If-None-Match", "\"a\",\"b\""), comma));
    assertFalse(Preconditions.fail(Headers.of("If-Match", "\"a,b\""), comma));
  }

  @Test
  void repeatedLinesAreOneList() {
    Headers request = Headers.of("If-None-Match", "\"x\"", "If-None-Match", "\"a\"");
    assertTrue(Preconditions.unchanged(request, STRONG));
    Headers match = Headers.of("If-Match", "\"x\"", "If-Match", "\"a\"");
    assertFalse(Preconditions.fail(match, STRONG));
  }

  @ParameterizedTest
  @ValueSource(strings = {DATE, EARLIER, LATER, "x", ""})
  void ifModifiedSinceIsIgnoredWithIfNoneMatch(String date) {
    Headers same = Headers.of("If-None-Match", "\"a\"", "If-Modified-Since", date);
    assertTrue(Preconditions.unchanged(same, STRONG));
    Headers other = Headers.of("If-None-Match", "\"b\"", "If-Modified-Since", date);
    assertFalse(Preconditions.unchanged(other, STRONG));
  }

  @ParameterizedTest
  @CsvSource({
    "'Sun, 06 Nov 1994 08:49:37 GMT',true",
    "'Sun, 06 Nov 1994 08:49:38 GMT',true",
    "'Sun, 06 Nov 1994 08:49:36 GMT',false",
    "'Sunday, 06-Nov-94 08:49:37 GMT',true",
    "Sun Nov  6 08:49:37 1994,true",
    "1994-11-06T08:49:37Z,false",
    "2020,false",
    "'06 Nov 2020 08:49:37 GMT',false",
    "'Sun, 06 Nov 2020 08:49:37 +0100',false",
    "'Sun, 06 Nov 2020 08:49:37',false",
    "'Sun, 32 Nov 2020 08:49:37 GMT',false",
    "tomorrow,false",
    "'',false"
  })
  void ifModifiedSinceIsIgnoredUnlessItIsAnHttpDate(String date, boolean unchanged) {
    Headers request = Headers.of("If-Modified-Since", date);
    assertEquals(unchanged, Preconditions.unchanged(request, STRONG));
    assertEquals(unchanged, Preconditions.unchanged(request, DATED));
    assertFalse(Preconditions.unchanged(request, Validators.of("\"a\"", null)));
  }

  @Test
  void severalDatesAreIgnored() {
    Headers since = Headers.of("If-Modified-Since", LATER, "If-Modified-Since", LATER);
    assertFalse(Preconditions.unchanged(since, STRONG));
    Headers unmodified = Headers.of("If-Unmodified-Since", EARLIER, "If-Unmodified-Since", EARLIER);
    assertFalse(Preconditions.fail(unmodified, STRONG));
  }

  @ParameterizedTest
  @CsvSource({
    "\"a\",false",
    "'\"x\", \"a\"',false",
    "*,false",
    "\"b\",true",
    "W/\"a\",true",
    "a,true",
    "'x, *',true",
    "'',true"
  })
  void ifMatchComparesStrongly(String list, boolean fails) {
    assertEquals(fails, Preconditions.fail(Headers.of("If-Match", list), STRONG));
  }

  @ParameterizedTest
  @CsvSource({"\"a\",true", "W/\"a\",true", "*,false"})
  void aWeakTagNeverMatchesIfMatch(String list, boolean fails) {
    assertEquals(fails, Preconditions.fail(Headers.of("If-Match", list), WEAK));
  }

  @Test
  void withoutATagOnlyTheWildcardMatches() {
    for (String name : new String[] {"If-Match", "If-None-Match"}) {
      assertEquals(
          name.equals("If-Match"), Preconditions.prohibit("PUT", Headers.of(name, "\"a\""), DATED));
      assertEquals(
          name.equals("If-None-Match"),
          Preconditions.prohibit("PUT", Headers.of(name, "*"), DATED));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'Sun, 06 Nov 1994 08:49:37 GMT',false",
    "'Sun, 06 Nov 1994 08:49:38 GMT',false",
    "'Sun, 06 Nov 1994 08:49:36 GMT',true",
    "1994-11-06T08:49:36Z,false",
    "yesterday,false"
  })
  void ifUnmodifiedSinceFailsForANewerVersion(String date, boolean fails) {
    Headers request = Headers.of("If-Unmodified-Since", date);
    assertEquals(fails, Preconditions.fail(request, STRONG));
    assertFalse(Preconditions.fail(request, Validators.of("\"a\"", null)));
    assertFalse(Preconditions.fail(request, Validators.ABSENT));
  }

  @Test
  void ifUnmodifiedSinceIsIgnoredWithIfMatch() {
    Headers request = Headers.of("If-Match", "\"a\"", "If-Unmodified-Since", EARLIER);
    assertFalse(Preconditions.fail(request, STRONG));
  }

  @Test
  void absentResourcesNeverMatch() {
    assertTrue(Preconditions.prohibit("PUT", Headers.of("If-Match", "*"), Validators.ABSENT));
    assertFalse(Preconditions.prohibit("PUT", Headers.of("If-None-Match", "*"), Validators.ABSENT));
    assertFalse(
        Preconditions.prohibit("PUT", Headers.of("If-None-Match", "\"a\""), Validators.ABSENT));
    assertFalse(Preconditions.prohibit("PUT", new Headers(), Validators.ABSENT));
  }

  @ParameterizedTest
  @CsvSource({"GET,false", "HEAD,false", "PUT,true", "POST,true", "DELETE,true", "get,true"})
  void ifNoneMatchProhibitsAllMethodsButGetAndHead(String method, boolean prohibited) {
    for (String list : new String[] {"*", "\"a\"", "W/\"a\""}) {
      Headers request = Headers.of("If-None-Match", list);
      assertEquals(prohibited, Preconditions.prohibit(method, request, STRONG), list);
    }
  }

  @Test
  void ifModifiedSinceProhibitsNothing() {
    assertFalse(Preconditions.prohibit("PUT", Headers.of("If-Modified-Since", LATER), STRONG));
  }

  @ParameterizedTest
  @CsvSource({
    "\"a\",true",
    "\"b\",false",
    "W/\"a\",false",
    "xW/\"TAG\"y,false",
    "'\"x\", \"a\"',false",
    "*,false",
    "'Sun, 06 Nov 1994 08:49:37 GMT',true",
    "'Sun, 06 Nov 1994 08:49:38 GMT',false",
    "'Sun, 06 Nov 1994 08:49:36 GMT',false",
    "1994-11-06T08:49:37Z,false",
    "soon,false",
    "'',false"
  })
  void ifRangeMatchesAStrongTagOrTheExactDate(String condition, boolean applies) {
    assertEquals(applies, Preconditions.rangeApplies(Headers.of("If-Range", condition), STRONG));
  }

  @Test
  void ifRangeNeverMatchesAWeakTag() {
    for (String condition : new String[] {"W/\"a\"", "\"a\"", "\"\""}) {
      assertFalse(Preconditions.rangeApplies(Headers.of("If-Range", condition), WEAK));
      assertFalse(Preconditions.rangeApplies(Headers.of("If-Range", condition), DATED));
    }
    assertFalse(
        Preconditions.rangeApplies(Headers.of("If-Range", DATE), Validators.of("\"a\"", null)));
  }

  @Test
  void withoutIfRangeARangeAppliesAndWithSeveralItDoesNot() {
    assertTrue(Preconditions.rangeApplies(new Headers(), STRONG));
    Headers twice = Headers.of("If-Range", "\"a\"", "If-Range", "\"a\"");
    assertFalse(Preconditions.rangeApplies(twice, STRONG));
  }

  @Test
  void hostileListsAreReadInOnePass() {
    Headers request = Headers.of("If-None-Match", " ,\"x\"".repeat(50_000));
    assertFalse(Preconditions.unchanged(request, STRONG));
    request = Headers.of("If-Match", "\"".repeat(100_000));
    assertTrue(Preconditions.fail(request, STRONG));
  }
}
