package dev.percolate.framework.path;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import dev.percolate.http.HttpError;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ExpressionTest {

  @Test
  void returnsTheBoundsOfTheMatchAndItsCaptures() {
    Expression expression = new Expression(Pattern.compile("(\\d)(x)?"));
    assertArrayEquals(new int[] {1, 2, 1, 2, -1, -1}, expression.find("a7"));
    assertNull(expression.find("abc"));
  }

  @Test
  void aSlowSearchIsAClientError() {
    Expression expression = new Expression(Pattern.compile("^(a+)+$"));
    String hostile = "a".repeat(4_000) + "!";
    assertTimeout(
        Duration.ofSeconds(5),
        () ->
            assertEquals(
                400, assertThrows(HttpError.class, () -> expression.find(hostile)).status()));
  }

  @Test
  void aDeeplyNestedSearchIsAClientError() {
    Expression expression = new Expression(Pattern.compile("^(?:a|b)*$"));
    String deep = "ab".repeat(200_000);
    assertEquals(400, assertThrows(HttpError.class, () -> expression.find(deep)).status());
  }
}
