package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of Express, which the setting {@code conditional requests} restores. */
class FreshTest {

  private static final String TAG = "\"a\"";
  private static final String DATE = "Sun, 06 Nov 1994 08:49:37 GMT";
  private static final String LATER = "Sun, 06 Nov 1994 08:49:38 GMT";

  @Test
  void withoutConditionsNothingIsFresh() {
    assertFalse(Fresh.isFresh(new Headers(), TAG, DATE));
    assertFalse(Fresh.isFresh(Headers.of("If-None-Match", "", "If-Modified-Since", ""), TAG, DATE));
  }

  @Test
  void noCacheIsNeverFresh() {
    Headers request = Headers.of("If-None-Match", TAG, "Cache-Control", "max-age=0, xno-cachex");
    assertFalse(Fresh.isFresh(request, TAG, null));
    request.set("Cache-Control", "No-Cache");
    assertTrue(Fresh.isFresh(request, TAG, null));
    request.add("Cache-Control", "no-cache");
    assertFalse(Fresh.isFresh(request, TAG, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a\"", "W/\"a\"", "*", "\"x\" , \"a\"", "\"x\",W/\"a\"", "x, *"})
  void oneEntryMustBeTheTagItsWeakFormOrAWildcard(String noneMatch) {
    assertTrue(Fresh.isFresh(Headers.of("If-None-Match", noneMatch), TAG, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "\"A\"", "w/\"a\"", "\"a\"x", "**", "\"b\", \"c\"", "\"a\" x"})
  void otherEntriesDoNotMatch(String noneMatch) {
    assertFalse(Fresh.isFresh(Headers.of("If-None-Match", noneMatch), TAG, null));
  }

  @Test
  void weakTagsAreNotMatchedByTheStrongForm() {
    assertFalse(Fresh.isFresh(Headers.of("If-None-Match", TAG), "W/" + TAG, null));
    assertTrue(Fresh.isFresh(Headers.of("If-None-Match", "W/" + TAG), "W/" + TAG, null));
  }

  @Test
  void withoutATagOnlyTheWildcardMatches() {
    assertTrue(Fresh.isFresh(Headers.of("If-None-Match", "*"), null, null));
    assertFalse(Fresh.isFresh(Headers.of("If-None-Match", TAG), null, null));
  }

  @Test
  void repeatedHeadersAreOneList() {
    Headers request = Headers.of("If-None-Match", "\"x\"", "If-None-Match", TAG);
    assertTrue(Fresh.isFresh(request, TAG, null));
  }

  @Test
  void unchangedSinceTheDateIsFresh() {
    assertTrue(Fresh.isFresh(Headers.of("If-Modified-Since", DATE), null, DATE));
    assertTrue(Fresh.isFresh(Headers.of("If-Modified-Since", LATER), null, DATE));
    assertFalse(Fresh.isFresh(Headers.of("If-Modified-Since", DATE), null, LATER));
    assertFalse(Fresh.isFresh(Headers.of("If-Modified-Since", DATE), null, null));
    assertFalse(Fresh.isFresh(Headers.of("If-Modified-Since", "x"), null, DATE));
    assertFalse(Fresh.isFresh(Headers.of("If-Modified-Since", DATE), null, "x"));
    assertTrue(Fresh.isFresh(Headers.of("If-Modified-Since", "1994-11-06T08:49:37Z"), null, DATE));
  }

  @Test
  void bothConditionsMustHold() {
    Headers request = Headers.of("If-None-Match", TAG, "If-Modified-Since", DATE);
    assertTrue(Fresh.isFresh(request, TAG, DATE));
    assertFalse(Fresh.isFresh(request, TAG, LATER));
    assertFalse(Fresh.isFresh(request, "\"b\"", DATE));
  }

  @Test
  void hostileListsAreReadInOnePass() {
    Headers request = Headers.of("If-None-Match", " ,".repeat(50_000));
    assertFalse(Fresh.isFresh(request, TAG, null));
  }
}
