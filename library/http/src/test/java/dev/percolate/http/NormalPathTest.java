package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NormalPathTest {

  private static final String[] PIECES = {
    "/", "/", "/", ".", "..", "%2e", "%2E%2e", "%2f", "%2F", "%5c", "\\", "admin", "%61dmin", "x",
    "%", "%3", "%36", "%31", "%c3%a4", "%ff", "%40", "@", ";", "%25", "%2561", "%z", "A"
  };

  @ParameterizedTest
  @CsvSource({
    "/%61dmin/x, /admin/x",
    "/%41dmin, /Admin",
    "//admin, /admin",
    "/admin//x///y, /admin/x/y",
    "/./admin, /admin",
    "/%2e/admin, /admin",
    "/x/../admin, /admin",
    "/x/%2E%2e/admin, /admin",
    "/x/.%2e/admin, /admin",
    "/x//../admin, /admin",
    "/a/., /a/",
    "/a/b/.., /a/",
    "/a/.., /",
    "//, /",
    "/a//, /a/",
    "/%7Euser/%2d%2D_%5F, /~user/--__",
    "/a%2fb%c3%a4, /a%2Fb%C3%A4",
    "/%2561dmin, /%2561dmin",
    "/a;b=1/..;/c, /a;b=1/..;/c",
    "/.well-known/..x/..., /.well-known/..x/...",
    "/../a, /a",
    "/a/../../b, /b",
  })
  void equivalentPathsHaveOneNormalForm(String path, String normal) {
    assertEquals(normal, NormalPath.of(path));
    assertSame(normal, NormalPath.of(normal));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/a", "/a/", "/a/b.c/d..", "/A;x=1", "*", "", "a/../b", "/%", "/%zz", "/é"})
  void normalPathsDoNotChange(String path) {
    assertSame(path, NormalPath.of(path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/%%36%31dmin", "/%6%31dmin", "/%%361dmin", "/%%%36%31", "/%zz/%6%31", "/%%35c"})
  void malformedEscapesNeverBecomeEscapes(String path) {
    assertNull(Percent.decode(NormalPath.of(path)), NormalPath.of(path));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/a/b", "/a/b.c?x=//%2e", "*", "", "/a-b_c~d;e", "/A/"})
  void commonTargetsPassTheFastCheck(String target) {
    assertTrue(NormalPath.isPlain(target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "//a",
        "/a//",
        "/./a",
        "/.a",
        "/a/..",
        "/%61",
        "/a\\b",
        "http://h/a",
        "/a#b",
        "/a?b#c"
      })
  void otherTargetsFailTheFastCheck(String target) {
    assertFalse(NormalPath.isPlain(target));
  }

  @ParameterizedTest
  @CsvSource({
    "/a/b, /a/b",
    "/a%2Fb, /a/b",
    "/x%2F..%2Fadmin, /admin",
    "/x/..%2Fadmin/, /admin/",
    "/a%20b%C3%A4@%40, /a bä@@",
    "/%2561, /%61",
    "/a%2F, /a/",
    "/%FF%2Fa, /%FF/a",
    "*%2F, */",
  })
  void decodedPathsAreResolved(String normal, String decoded) {
    assertEquals(decoded, NormalPath.decoded(normal));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a\\b",
        "/a%5cb",
        "/%5C",
        "/%00",
        "/a%00.html",
        "/..",
        "/%2e%2e/a",
        "/a/../../a",
        "/..%2fa",
        "/%2e%2e%2f",
        "/a%2f../../..",
        "/a%2Fb/../..",
        "/%zz/../..",
        "//../a",
        "/a/..%2f..%2fb"
      })
  void somePathsAreDoubtfulEvenInNormalForm(String path) {
    assertTrue(NormalPath.isDoubtful(path));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/a%2Fb",
        "/a/..",
        "//",
        "/x/../admin",
        "/%61",
        "/%25",
        "/%255c",
        "/%2500",
        "/...",
        "/a%2f..%2fb",
        "/a%2Fb/../c",
        "/..a/b",
        "/%",
        "/%zz",
        "*"
      })
  void otherPathsAreNotDoubtful(String path) {
    assertFalse(NormalPath.isDoubtful(path));
  }

  @Test
  void escapesOfSlashesAndUnreservedCharactersAreDoubtful() {
    assertEquals(2, NormalPath.doubtfulEscape("/a%2fb"));
    assertEquals(1, NormalPath.doubtfulEscape("/%61"));
    assertEquals(7, NormalPath.doubtfulEscape("/%20%20%5C"));
    assertEquals(1, NormalPath.doubtfulEscape("%%2E"));
    assertEquals(-1, NormalPath.doubtfulEscape("/a%20b%C3%A4%40%2561%zz%"));
  }

  @Test
  void theNormalFormIsEquivalentToThePath() {
    Random random = new Random(23);
    for (int i = 0; i < 200_000; i++) {
      StringBuilder made = new StringBuilder("/");
      for (int n = random.nextInt(9); n > 0; n--) {
        made.append(PIECES[random.nextInt(PIECES.length)]);
      }
      String path = made.toString();
      String normal = NormalPath.of(path);
      assertSame(normal, NormalPath.of(normal), path);
      assertFalse(NormalPath.isPlain(path) && !normal.equals(path), path);
      for (int end = normal.indexOf('/', 1); end > 0; end = normal.indexOf('/', end + 1)) {
        String rest = path.substring(NormalPath.sentLength(path, end));
        assertEquals(normal.substring(end), NormalPath.of(rest), path);
      }
      String whole = Percent.decode(path);
      if (whole != null && !path.contains("%2f") && !path.contains("%2F")) {
        assertEquals(resolved(whole), NormalPath.decoded(normal), path);
      } else if (whole == null
          && path.indexOf('.') < 0
          && !path.contains("%2e")
          && !path.contains("%2E")) {
        assertNull(Percent.decode(normal), path); // dots could remove the malformed part
      }
    }
  }

  /** Resolves segments in another way. */
  private static String resolved(String path) {
    Deque<String> parts = new ArrayDeque<>();
    String last = "";
    for (String part : path.split("/", -1)) {
      last = part;
      if (part.equals("..")) {
        parts.pollLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    boolean folder = last.isEmpty() || last.equals(".") || last.equals("..");
    return "/" + String.join("/", parts) + (folder && !parts.isEmpty() ? "/" : "");
  }
}
