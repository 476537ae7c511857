package dev.percolate.framework.path;

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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CompiledPathTest {

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
    assertEquals(source, path(path).source());
    assertFalse(path(path).isCaseSensitive());
  }

  @Test
  void strictRoutingAddsAndDropsNothing() {
    assertEquals("^(.*)$", new CompiledPath("*", false, true).source());
    assertEquals("^\\/foo\\/$", new CompiledPath("/foo/", true, true).source());
    assertTrue(new CompiledPath("/foo/", true, true).isCaseSensitive());
    assertNull(match(new CompiledPath("/foo/", false, true), "/foo"));
  }

  @Test
  void aTrailingSlashMakesNoDifferenceUnlessRoutingIsStrict() {
    for (String path : List.of("/foo", "/foo/")) {
      CompiledPath route = path(path);
      assertNotNull(match(route, "/foo"));
      assertNotNull(match(route, "/FOO/"));
      assertNull(match(route, "/foo//"));
    }
    assertNotNull(match(path("/"), "//"));
  }

  @Test
  void parametersAreInTheOrderOfThePath() {
    CompiledPath route = path("/user/:id/:op?");
    assertEquals(List.of("id", "op"), route.names());
    assertEquals(List.of("id false", "op true"), route.parameters((name, may) -> name + " " + may));
    assertEquals(List.of(), new CompiledPath(Pattern.compile("(a)")).names());
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
    assertNull(match(path("/abc"), "/%61bc"));
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
    assertNotNull(match(path("/colou?r"), "/COLOR"));
    assertNotNull(match(path("/go+l"), "/gooool"));
    assertNotNull(match(path("/[xyz]1"), "/y1"));
    assertNotNull(match(path("/n/\\d{2,}"), "/n/10"));
    assertNull(match(path("/n/\\d{2,}"), "/n/1"));
    assertNotNull(match(path("/alpha|/omega"), "/alphabet"));
    assertNotNull(match(path("/alpha|/omega"), "/x/omega"));
    assertNull(match(path("/only/:x(.+)"), "/only/abc"));
    assertNotNull(match(path("/base/(extra)?"), "/base"));
  }

  @Test
  void charactersThatAreLiteralInJavaScriptAreLiteral() {
    assertNotNull(match(path("/a{b}?"), "/a{b"));
    assertNotNull(match(path("/[[]+"), "/[["));
    assertNotNull(match(path("/[a&&b]"), "/&"));
    assertNotNull(match(path("/\\A\\z?"), "/A"));
    assertNull(match(path("/a+$"), "/a\n"));
    assertNull(match(path("/[]x"), "/x"));
  }

  @Test
  void anInvalidExpressionIsRejected() {
    for (String path : List.of("/a(", "/a)", "/[b", "/a++")) {
      IllegalArgumentException error =
          assertThrows(IllegalArgumentException.class, () -> path(path));
      assertTrue(error.getMessage().startsWith("invalid route path \"" + path + "\": "));
    }
  }

  @Test
  void anExpressionIsUsedUnchanged() {
    CompiledPath route = new CompiledPath(Pattern.compile("commits/(\\w+)(?:\\.\\.(\\w+))?"));
    CompiledPath.Match match = match(route, "/x/commits/71dbb");
    assertNotNull(match);
    assertEquals(Map.of("0", "71dbb"), match.params().asMap());
    assertNull(match(route, "/COMMITS/a"));
    assertEquals("commits/(\\w+)(?:\\.\\.(\\w+))?", route.source());
  }

  @Test
  void detectsPathsThatCanNeverMatch() {
    assertTrue(path("users").matchesNothing());
    assertTrue(path("users/:id").matchesNothing());
    assertTrue(path(":a").matchesNothing());
    assertTrue(new CompiledPath(Pattern.compile("^users")).matchesNothing());
    assertFalse(new CompiledPath(Pattern.compile("^u?/x")).matchesNothing());
    assertFalse(new CompiledPath(Pattern.compile("users$")).matchesNothing());
    assertFalse(new CompiledPath(Pattern.compile("^users|/x")).matchesNothing());
    assertFalse(new CompiledPath(Pattern.compile("^x", Pattern.MULTILINE)).matchesNothing());
    for (String path : List.of("/users", "*", ".x", "u|/x", "/")) {
      assertFalse(path(path).matchesNothing(), path);
    }
  }

  private static CompiledPath path(String path) {
    return new CompiledPath(path, false, false);
  }

  private static CompiledPath.@Nullable Match match(CompiledPath route, String path) {
    return route.match(RoutePath.asSent(path));
  }

  private static Map<String, Object> params(String path, String text) {
    CompiledPath.Match match = match(path(path), text);
    assertNotNull(match, path);
    return match.params().asMap();
  }

  @Test
  void aStarNeedsItsSlashAndMatchesFurtherOnes() {
    assertNull(match(path("/files/*"), "/files"));
    assertEquals(Map.of("0", ""), params("/files/*", "/files/"));
    assertEquals(Map.of("0", "a//b/"), params("/files/*", "/files/a//b/"));
  }
}
