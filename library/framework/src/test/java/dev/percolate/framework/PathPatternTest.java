package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class PathPatternTest {

  @Test
  void itShowsPathParametersAndExpression() {
    PathPattern pattern = PathPattern.of("/user/:id/:op?", true, true);
    assertEquals("/user/:id/:op?", pattern.original());
    assertEquals(
        List.of(new PathPattern.Parameter("id", false), new PathPattern.Parameter("op", true)),
        pattern.keys());
    assertEquals("", pattern.regexp().flags());
    assertEquals(
        new PathPattern.Regexp("a$", "i"),
        PathPattern.of(Pattern.compile("a$", Pattern.CASE_INSENSITIVE)).regexp());
  }

  @Test
  void onlyOtherSettingsNeedAnotherPattern() {
    PathPattern pattern = PathPattern.of("/x");
    assertSame(pattern, pattern.under(false, false));
    assertNotSame(pattern, pattern.under(true, false));
    PathPattern expression = PathPattern.of(Pattern.compile("x"));
    assertSame(expression, expression.under(true, true));
  }
}
