package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CookieTextTest {

  @ParameterizedTest
  @CsvSource({
    "j:5, t:j:5",
    "s:a.b, t:s:a.b",
    "j:, t:j:",
    "t:j:5, t:t:j:5",
    "t:t:s:, t:t:t:s:",
  })
  void textThatLooksLikeJsonOrASignatureIsEscaped(String text, String value) {
    assertEquals(value, CookieText.escape(text));
    assertEquals(text, CookieText.unescape(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", "t:", "t:dark", "t:t:", "J:5", "S:x", " j:5", "j", "tj:5", "xt:j:"})
  void otherTextDoesNotChange(String text) {
    assertEquals(text, CookieText.escape(text));
    assertEquals(text, CookieText.unescape(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"j:{}", "s:j:{}", "t:j:{}", "t:t:j:{}", "t:x", "plain"})
  void escapedTextNeverBeginsLikeJsonOrASignature(String text) {
    String value = CookieText.escape(text);
    assertEquals(text, CookieText.unescape(value));
    assertFalse(value.startsWith("j:") || value.startsWith("s:"), value);
  }
}
