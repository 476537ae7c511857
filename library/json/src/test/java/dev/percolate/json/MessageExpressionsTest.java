package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the expressions in messages of constraints. */
final class MessageExpressionsTest {

  @Test
  void expressionsAreEvaluatedOrRemoved() {
    Map<String, @Nullable Object> attributes = Map.of("inclusive", true, "max", 7);
    assertEquals(
        "at most 7 or equal, was ab",
        MessageExpressions.evaluate(
            "at most ${max}${inclusive ? ' or equal' : ''}, was ${validatedValue}",
            attributes,
            "ab"));
    assertEquals(
        "x  y",
        MessageExpressions.evaluate("x ${formatter.format('%d', max)} y", attributes, null));
    assertEquals("${1+1}", MessageExpressions.evaluate("${validatedValue}", attributes, "${1+1}"));
  }
}
