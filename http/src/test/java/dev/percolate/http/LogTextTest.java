package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

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
  void everythingElseIsTheSameObject() {
    String text = "it's \u00a0\u00ff\u2027\u202a\ufeff\ud83d\ude00 ~";
    assertSame(text, LogText.escape(text));
  }

  @Test
  void textAroundAnEscapeStays() {
    assertEquals("ab\\ncd\\u0001", LogText.escape("ab\ncd\u0001"));
  }
}
