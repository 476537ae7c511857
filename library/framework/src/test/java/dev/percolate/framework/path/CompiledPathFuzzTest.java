package dev.percolate.framework.path;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.percolate.http.HttpError;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Fuzzes route paths: they are compiled or rejected, and all matchers agree. */
final class CompiledPathFuzzTest {

  /** The maximum length; the expression used for comparison is slow for longer paths. */
  private static final int LONGEST = 60;

  @FuzzTest
  void routesAreCompiledOrRefusedAndTheirMatchersAgree(byte[] data) {
    String[] lines = new String(data, StandardCharsets.ISO_8859_1).split("\n", 2);
    String route = lines[0];
    String path = lines.length > 1 ? lines[1] : "/" + route;
    if (route.length() > LONGEST || path.length() > LONGEST) {
      return;
    }
    for (boolean strict : new boolean[] {false, true}) {
      CompiledPath compiled;
      try {
        compiled = new CompiledPath(route, data.length % 2 == 0, strict);
      } catch (IllegalArgumentException e) {
        assertNotNull(e.getMessage());
        continue;
      }
      match(compiled, path);
      compare(route, path, data.length % 2 == 0, strict);
    }
  }

  private static void match(CompiledPath route, String path) {
    try {
      CompiledPath.Match match = route.match(RoutePath.asSent(path));
      if (match != null) {
        assertTrue(!path.startsWith("/") || !route.matchesNothing(), () -> route + " on " + path);
        assertNotNull(match.params());
      }
    } catch (HttpError e) {
      assertEquals(400, e.status());
    }
  }

  private static void compare(String route, String path, boolean caseSensitive, boolean strict) {
    PathTranslation translation = new PathTranslation(route, strict);
    PathProgram program = PathProgram.of(translation, strict);
    if (program == null) {
      return;
    }
    int[] found = new ChoiceMatcher(program, caseSensitive).match(path);
    PathMatcher straight = StraightMatcher.of(translation, caseSensitive, strict);
    if (straight != null) {
      assertArrayEquals(found, straight.match(path), () -> route + " on " + path);
    }
    int flags = Pattern.DOTALL | (caseSensitive ? 0 : Pattern.CASE_INSENSITIVE);
    String source = ScriptSyntax.toJava(translation.source());
    int @Nullable [] expected;
    try {
      expected = new Expression(Pattern.compile(source, flags)).match(path);
    } catch (HttpError e) {
      return; // only the expression is too slow
    }
    assertArrayEquals(expected, found, () -> route + " on " + path);
  }
}
