package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PathPatternTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "/ ^\\/\\/?$",
        "/user/:id ^\\/user\\/(?:([^\\/]+?))\\/?$",
        "/user/:id? ^\\/user(?:\\/([^\\/]+?))?\\/?$",
        "/:file.:ext? ^\\/(?:([^\\/]+?))(?:\\.([^\\/\\.]+?))?\\/?$",
        "/files/* ^\\/files\\/(.*)\\/?$",
        "/a/(b)? ^\\/a(?:\\/b)?\\/?$",
        "/x/:n(\\d+)/y ^\\/x\\/(?:(\\d+))\\/y\\/?$",
        "/m/:id* ^\\/m\\/(?:([^\\/]+?))(\\/(.*))?\\/?$",
        "/t/:x(*) ^\\/t\\/(?:((.*)))\\/?$",
        "/foo/ ^\\/foo\\/?$",
      })
  void showsTheRegularExpressionOfAPath(String path, String source) {
    assertEquals(source, PathPattern.of(path).regexp().source());
    assertEquals("i", PathPattern.of(path).regexp().flags());
  }

  @Test
  void strictRoutingAddsAndDropsNothing() {
    assertEquals("^(.*)$", PathPattern.of("*", false, true).regexp().source());
    assertEquals("^\\/foo\\/$", PathPattern.of("/foo/", true, true).regexp().source());
    assertEquals("", PathPattern.of("/foo/", true, true).regexp().flags());
    assertNull(PathPattern.of("/foo/", false, true).match("/foo"));
  }

  @Test
  void aTrailingSlashMakesNoDifferenceUnlessRoutingIsStrict() {
    for (String path : List.of("/foo", "/foo/")) {
      PathPattern pattern = PathPattern.of(path);
      assertNotNull(pattern.match("/foo"));
      assertNotNull(pattern.match("/FOO/"));
      assertNull(pattern.match("/foo//"));
    }
    assertNotNull(PathPattern.of("/").match("//"));
  }

  @Test
  void keysAreInTheOrderOfThePath() {
    assertEquals(
        List.of(new PathPattern.Parameter("id", false), new PathPattern.Parameter("op", true)),
        PathPattern.of("/user/:id/:op?").keys());
    assertEquals(List.of(), PathPattern.of(Pattern.compile("(a)")).keys());
  }

  @Test
  void capturesAreNamedByPosition() {
    assertEquals(Map.of("name", "a", "0", "b"), params("/pool/*/:name", "/pool/a/b"));
    assertEquals(
        Map.of("year", "19", "month", "19", "0", "7"),
        params("/d/:year((19|20)\\d\\d)/:month", "/d/1987/7"));
    assertEquals(Map.of("rest", "a/b", "0", "a/b"), params("/t/:rest(*)", "/t/a/b"));
    assertEquals(Map.of("id", "12", "0", "/a", "1", "a"), params("/m/:id*", "/m/12/a"));
  }

  @Test
  void aCaptureThatTookNoPartIsAbsentButNumbered() {
    assertEquals(Map.of("a", "1"), params("/c/:a/:b?", "/c/1"));
    assertEquals(Map.of("1", "y"), params("/x(q)?(y)", "/xy"));
  }

  @Test
  void parametersAreLazyAndTheLastDotCounts() {
    assertEquals(Map.of("from", "a", "to", "b-c"), params("/:from-:to", "/a-b-c"));
    assertEquals(Map.of("file", "a.tar", "ext", "gz"), params("/:file.:ext", "/a.tar.gz"));
    assertEquals(Map.of("0", "a.b", "1", "json"), params("/*.*", "/a.b.json"));
  }

  @Test
  void parametersAreDecodedOnce() {
    assertEquals(Map.of("x", "a/b"), params("/:x", "/a%2Fb"));
    assertEquals(Map.of("x", "%2F+é"), params("/:x", "/%252F+%C3%A9"));
    assertNull(PathPattern.of("/abc").match("/%61bc"));
  }

  @Test
  void anUndecodableParameterIsAClientError() {
    for (String raw : List.of("%zz", "%", "50%", "%C3", "%ff%fe", "a%E2%82")) {
      HttpError error = assertThrows(HttpError.class, () -> params("/tag/:label", "/tag/" + raw));
      assertEquals(400, error.status());
      assertEquals("Failed to decode param '" + raw + "'", error.getMessage());
    }
    assertEquals(Map.of(), params("/raw/[%]zz", "/raw/%zz"));
  }

  @Test
  void anOptionalStarThatMatchesNothingTakesNoPart() {
    assertEquals(Map.of(), params("/*?", "/"));
    assertEquals(Map.of(), params("/a/*?", "/a/"));
    assertEquals(Map.of(), params("/a*?", "/a"));
    assertEquals(Map.of("0", ""), params("/a/*/*?", "/a//"));
    assertEquals(Map.of("0", "b"), params("/a*?", "/ab"));
  }

  @Test
  void operatorsOfRegularExpressionsWork() {
    assertNotNull(PathPattern.of("/colou?r").match("/COLOR"));
    assertNotNull(PathPattern.of("/go+l").match("/gooool"));
    assertNotNull(PathPattern.of("/[xyz]1").match("/y1"));
    assertNotNull(PathPattern.of("/n/\\d{2,}").match("/n/10"));
    assertNull(PathPattern.of("/n/\\d{2,}").match("/n/1"));
    assertNotNull(PathPattern.of("/alpha|/omega").match("/alphabet"));
    assertNotNull(PathPattern.of("/alpha|/omega").match("/x/omega"));
    assertNull(PathPattern.of("/only/:x(.+)").match("/only/abc"));
    assertNotNull(PathPattern.of("/base/(extra)?").match("/base"));
  }

  @Test
  void charactersThatAreLiteralInJavaScriptAreLiteral() {
    assertNotNull(PathPattern.of("/a{b}?").match("/a{b"));
    assertNotNull(PathPattern.of("/[[]+").match("/[["));
    assertNotNull(PathPattern.of("/[a&&b]").match("/&"));
    assertNotNull(PathPattern.of("/\\A\\z?").match("/A"));
    assertNull(PathPattern.of("/a+$").match("/a\n"));
    assertNull(PathPattern.of("/[]x").match("/x"));
  }

  @Test
  void anInvalidExpressionIsRejected() {
    for (String path : List.of("/a(", "/a)", "/[b", "/a++")) {
      IllegalArgumentException error =
          assertThrows(IllegalArgumentException.class, () -> PathPattern.of(path));
      assertTrue(error.getMessage().startsWith("invalid route path \"" + path + "\": "));
    }
  }

  @Test
  void anExpressionIsUsedUnchanged() {
    PathPattern pattern = PathPattern.of(Pattern.compile("commits/(\\w+)(?:\\.\\.(\\w+))?"));
    PathPattern.Match match = pattern.match("/x/commits/71dbb");
    assertNotNull(match);
    assertEquals(Map.of("0", "71dbb"), match.params().asMap());
    assertNull(pattern.match("/COMMITS/a"));
    assertEquals("commits/(\\w+)(?:\\.\\.(\\w+))?", pattern.regexp().source());
  }

  @Test
  void detectsPathsThatCanNeverMatch() {
    assertTrue(PathPattern.of("users").matchesNothing());
    assertTrue(PathPattern.of("users/:id").matchesNothing());
    assertTrue(PathPattern.of(":a").matchesNothing());
    assertTrue(PathPattern.of(Pattern.compile("^users")).matchesNothing());
    assertFalse(PathPattern.of(Pattern.compile("^u?/x")).matchesNothing());
    assertFalse(PathPattern.of(Pattern.compile("users$")).matchesNothing());
    assertFalse(PathPattern.of(Pattern.compile("^users|/x")).matchesNothing());
    assertFalse(PathPattern.of(Pattern.compile("^x", Pattern.MULTILINE)).matchesNothing());
    for (String path : List.of("/users", "*", ".x", "u|/x", "/")) {
      assertFalse(PathPattern.of(path).matchesNothing(), path);
    }
  }

  private static Map<String, Object> params(String path, String text) {
    PathPattern.Match match = PathPattern.of(path).match(text);
    assertNotNull(match, path);
    return match.params().asMap();
  }

  @Test
  void aStarNeedsItsSlashAndMatchesFurtherOnes() {
    assertNull(PathPattern.of("/files/*").match("/files"));
    assertEquals(Map.of("0", ""), params("/files/*", "/files/"));
    assertEquals(Map.of("0", "a//b/"), params("/files/*", "/files/a//b/"));
  }
}
