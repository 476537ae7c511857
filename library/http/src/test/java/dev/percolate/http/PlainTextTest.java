package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTextTest {

  @Test
  void numbersAreWrittenAsInJavaScript() {
    Object[] numbers = {
      42,
      1.5,
      42.0,
      -0.0,
      0.1f,
      1e20,
      123456789012345680000d,
      1e21,
      1.5e22,
      1e-6,
      1.5e-7,
      -2e-9,
      Long.MAX_VALUE,
      Double.NaN,
      Double.POSITIVE_INFINITY
    };
    List<String> texts =
        List.of(
            "42",
            "1.5",
            "42",
            "0",
            "0.1",
            "100000000000000000000",
            "123456789012345680000",
            "1e+21",
            "1.5e+22",
            "0.000001",
            "1.5e-7",
            "-2e-9",
            "9223372036854775807",
            "NaN",
            "Infinity");
    for (int i = 0; i < numbers.length; i++) {
      assertEquals(texts.get(i), PlainText.of(numbers[i]));
    }
  }

  @Test
  void otherValuesAreWrittenAsInJava() {
    assertEquals("[a, b]", PlainText.of(List.of("a", "b")));
    assertEquals("false", PlainText.of(false));
  }
}
