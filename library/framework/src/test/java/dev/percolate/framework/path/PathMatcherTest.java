package dev.percolate.framework.path;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PathMatcherTest {

  private static final String[] PIECES = {
    "/",
    "/a",
    "/B",
    "/:p",
    "/:q",
    ":r",
    "/:o?",
    ":s?",
    ".:e",
    ".:f?",
    "/.:g",
    "/*",
    "*",
    "-",
    ".",
    "/:n(\\d+)",
    ":w(\\w+)",
    "/:t(*)",
    "/:m*",
    ":k?*",
    "x",
    "..",
    "/é",
    ":",
    "/:h(\\d+)?"
  };
  private static final String[] PARTS = {
    "/", "a", "b", "B", "-", ".", "x", "7", "é", "//", "/a", ":"
  };

  @Test
  void findsTheSameCapturesAsTheRegularExpression() {
    Random random = new Random(20260801);
    int matched = 0;
    int matchedStraight = 0;
    for (int i = 0; i < 2_000; i++) {
      String path = joined(random, PIECES, 1 + random.nextInt(6));
      boolean caseSensitive = random.nextBoolean();
      boolean strict = random.nextBoolean();
      ChoiceMatcher matcher = matcher(path, caseSensitive, strict);
      PathMatcher straight =
          StraightMatcher.of(new PathTranslation(path, strict), caseSensitive, strict);
      Pattern expression = expression(path, caseSensitive, strict);
      for (int j = 0; j < 50; j++) {
        String text = random.nextInt(4) == 0 ? path : joined(random, PARTS, random.nextInt(10));
        int[] expected = found(expression, text);
        assertArrayEquals(expected, matcher.match(text), path + " on " + text);
        if (straight != null) {
          assertArrayEquals(expected, straight.match(text), path + " on " + text);
          matchedStraight += expected == null ? 0 : 1;
        }
        matched += expected == null ? 0 : 1;
      }
    }
    assertTrue(matchedStraight > 1_000, "matched only " + matchedStraight);
    assertTrue(matched > 10_000, "matched only " + matched);
  }

  @Test
  void onlySomePathsNeedNoBacktracking() {
    for (String path :
        new String[] {
          "/", "/about", "/:id", "/x:id/y", "/:a/:b(\\d+)/c", "/f/*", "/:a/b*", "/x.:e"
        }) {
      assertNotNull(StraightMatcher.of(new PathTranslation(path, false), false, false), path);
    }
    for (String path :
        new String[] {"/:id?", "/:a-:b", "/:f.:e", "/*/a", "/:all(*)", "/:a*", "/:a-", "/**"}) {
      assertNull(StraightMatcher.of(new PathTranslation(path, false), false, false), path);
    }
  }

  @Test
  void pathsWithOperatorsNeedAnExpression() {
    for (String path :
        new String[] {"/a?", "/a+", "/[ab]", "/(b)?", "/:n([0-9]{2})", "/a|/b", "/$"}) {
      assertNull(PathProgram.of(new PathTranslation(path, false), false), path);
    }
  }

  @Test
  void matchesInTimeLinearInThePath() {
    String hostile = "/" + "a-".repeat(200_000) + "x";
    for (String path :
        new String[] {"/:a-:b-:c!", "/:a-:b-:c-:d-:e!", "/*-*-*-*-*y", "/:a?-:b?-*y"}) {
      ChoiceMatcher matcher = matcher(path, false, false);
      assertTimeout(Duration.ofSeconds(5), () -> assertNull(matcher.match(hostile)), path);
    }
  }

  @Test
  void ignoresTheCaseOfAsciiLettersOnly() {
    assertNotNull(matcher("/News", false, false).match("/nEWS"));
    assertNull(matcher("/News", true, false).match("/news"));
    assertNull(matcher("/é", false, false).match("/É"));
    assertNull(matcher("/k", false, false).match("/\u212A"));
    assertNull(matcher("/@", false, false).match("/`"));
  }

  @Test
  void returnsThePrefixOfAllMatchingPaths() {
    assertEquals("/users/", program("/users/:id", false).prefix());
    assertEquals("/users", program("/users/:id?", false).prefix());
    assertEquals("", program("*", false).prefix());
  }

  private static String joined(Random random, String[] parts, int count) {
    StringBuilder joined = new StringBuilder();
    for (int i = 0; i < count; i++) {
      joined.append(parts[random.nextInt(parts.length)]);
    }
    return joined.toString();
  }

  private static ChoiceMatcher matcher(String path, boolean caseSensitive, boolean strict) {
    return new ChoiceMatcher(program(path, strict), caseSensitive);
  }

  private static PathProgram program(String path, boolean strict) {
    PathProgram program = PathProgram.of(new PathTranslation(path, strict), strict);
    assertNotNull(program, path);
    return program;
  }

  private static Pattern expression(String path, boolean caseSensitive, boolean strict) {
    String source = ScriptSyntax.toJava(new PathTranslation(path, strict).source());
    return Pattern.compile(source, Pattern.DOTALL | (caseSensitive ? 0 : Pattern.CASE_INSENSITIVE));
  }

  private static int @Nullable [] found(Pattern expression, String text) {
    Matcher matcher = expression.matcher(text);
    if (!matcher.find()) {
      return null;
    }
    int[] bounds = new int[matcher.groupCount() * 2];
    for (int i = 1; i <= matcher.groupCount(); i++) {
      bounds[i * 2 - 2] = matcher.start(i);
      bounds[i * 2 - 1] = matcher.end(i);
    }
    return bounds;
  }

  @Test
  void aPathWithTooManyOrTooFewSlashesIsNotSearched() {
    ChoiceMatcher matcher = matcher("/:a-:b/:c?", false, false);
    assertNotNull(matcher.match("/x-y"));
    assertNotNull(matcher.match("/x-y/z/"));
    assertNotNull(matcher.match("/x-y/"));
    assertNull(matcher.match("/x-y/z/z"));
    assertNull(matcher.match("x-y"));
    assertNotNull(matcher("/*/a", false, true).match("/x/y/z/a"));
    assertNull(matcher("/:a/", false, true).match("/a//"));
  }
}
