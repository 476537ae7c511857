package dev.percolate.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FormPairTest {

  @Test
  void onlyLettersDigitsAndFourMarksAreUnescaped() {
    assertEquals(
        "a+b=azAZ09*-._%7E%21%27%28%29%25%EF%BF%BD%F0%9F%98%80",
        Form.pair("a b", "azAZ09*-._~!'()%\ud800\ud83d\ude00"));
    assertEquals("d%5Be%5D=", Form.pair("d[e]", ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "a b", "+&=%", "a[b]", "a]=c", "%zz", "\u0000\u2713", "\u00e9"})
  void aPairIsParsedBack(String text) throws FormException {
    assertEquals(Map.of(text, text), Form.simple().parse(Form.pair(text, text), UTF_8));
  }
}
