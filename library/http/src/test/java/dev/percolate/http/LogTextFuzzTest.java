package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Escaped text has neither control characters nor quotes that end a field. */
final class LogTextFuzzTest {

  @FuzzTest
  void escapedTextStaysOnItsLine(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    String escaped = LogText.escape(text);
    assertTrue(escaped.chars().noneMatch(c -> c < ' ' || (c >= 0x7F && c < 0xA0)), escaped);
    assertTrue(escaped.indexOf('\u2028') < 0 && escaped.indexOf('\u2029') < 0, escaped);
    assertTrue(
        escaped.codePoints().noneMatch(c -> Character.getType(c) == Character.FORMAT), escaped);
    assertEquals(text.chars().filter(c -> c == '"').count(), quotes(escaped));
    assertTrue(Html.escape(text).chars().noneMatch(c -> "<>\"'".indexOf(c) >= 0));
  }

  private static long quotes(String escaped) {
    int count = 0;
    for (int i = 0; i < escaped.length(); i++) {
      if (escaped.charAt(i) == '\\') {
        i++;
        count += i < escaped.length() && escaped.charAt(i) == '"' ? 1 : 0;
      } else {
        assertTrue(escaped.charAt(i) != '"', escaped);
      }
    }
    return count;
  }
}
