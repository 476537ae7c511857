package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTextTest {

  @Test
  void anEventHasIdNameAndData() {
    assertEquals("id: 7\nevent: price\ndata: 1.5\n\n", EventText.of("7", "price", "1.5"));
    assertEquals("event: e\ndata: \n\n", EventText.of("", "e", ""));
    assertEquals("id: i\ndata: x\n\n", EventText.of("i", "", "x"));
  }

  /**
   * Clients join the lines of data with line feeds, whichever of the three line breaks was used.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a|a",
        "a~b|a,b",
        "a^b|a,b",
        "a^~b|a,b",
        "a~^b|a,,b",
        "~|,",
        "a^|a,",
        "a^~|a,",
        "a~~b^^c|a,,b,,c"
      })
  void dataIsSplitAtLineBreaks(String written, String lines) {
    String data = written.replace('~', '\n').replace('^', '\r');
    StringBuilder expected = new StringBuilder();
    StringBuilder comment = new StringBuilder();
    for (String line : lines.split(",", -1)) {
      expected.append("data: ").append(line).append('\n');
      comment.append(": ").append(line).append('\n');
    }
    assertEquals(expected + "\n", EventText.of("", "", data));
    assertEquals(comment + "\n", EventText.comment(data));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "a\rb", "a\0b", "\n", "b\r\n"})
  void idAndNameMustNotHaveLineBreaks(String value) {
    IllegalArgumentException id =
        assertThrows(IllegalArgumentException.class, () -> EventText.of(value, "", ""));
    assertEquals(
        "id must not have a line break or NUL, was \"" + LogText.escape(value) + "\"",
        id.getMessage());
    IllegalArgumentException name =
        assertThrows(IllegalArgumentException.class, () -> EventText.of("", value, ""));
    assertEquals(
        "event must not have a line break or NUL, was \"" + LogText.escape(value) + "\"",
        name.getMessage());
  }

  @Test
  void theRetryTimeIsAnEventOfItsOwn() {
    assertEquals("retry: 2500\n\n", EventText.retry(2500));
    assertEquals(": \n\n", EventText.comment(""));
  }
}
