package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogTextTest {

  @Test
  void quotesAndBackslashesAreEscaped() {
    assertEquals("a\\\\b\\\"c", LogText.escape("a\\b\"c"));
  }

  @Test
  void commonControlCharactersHaveShortForms() {
    assertEquals("\\b\\f\\n\\r\\t", LogText.escape("\b\f\n\r\t"));
  }

  @Test
  void otherControlCharactersAreHexadecimal() {
    char backslash = '\\';
    String expected =
        "u0000 u001b u001f u007f u0085 u009f u2028 u2029".replace("u", backslash + "u");
    String text = "\0 \33 \37 \177 \205 \237 " + (char) 0x2028 + ' ' + (char) 0x2029;
    assertEquals(expected, LogText.escape(text));
  }

  @Test
  void otherTextIsTheSameObject() {
    String text = "it's \u00a0\u00ff\u2027\u202f\u0623\u05d0\ud83d\ude00 ~";
    assertSame(text, LogText.escape(text));
  }

  @Test
  void formatCharactersAreEscaped() {
    int[] all =
        IntStream.rangeClosed(0x80, Character.MAX_CODE_POINT)
            .filter(c -> Character.getType(c) == Character.FORMAT)
            .toArray();
    assertTrue(all.length > 100);
    for (int c : all) {
      String escaped = LogText.escape("a" + Character.toString(c) + "b");
      assertTrue(escaped.matches("a(\\\\u[0-9a-f]{4}){1,2}b"), escaped);
    }
    assertEquals("a\\u202eb\\u2069\\u200f\\u061c", LogText.escape("a\u202eb\u2069\u200f\u061c"));
    assertEquals("\\udb40\\udc41", LogText.escape("\udb40\udc41")); // a tag
    assertEquals("x\\u200d", LogText.escape("x\u200d"));
  }

  @Test
  void textAroundAnEscapeDoesNotChange() {
    assertEquals("ab\\ncd\\u0001", LogText.escape("ab\ncd\u0001"));
  }
}
