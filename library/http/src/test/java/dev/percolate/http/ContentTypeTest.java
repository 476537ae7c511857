package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentTypeTest {

  private static final String UTF_8 = "utf-8";

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "text/html|text/html; charset=utf-8",
        "Text/X-Note;  Version=\"1\"; Charset=ASCII; a=\"b c\"|text/x-note; a=\"b c\";"
            + " charset=utf-8; version=1",
        "text/html; charset=ISO-8859-1|text/html; charset=utf-8",
        "text/html ;a = b |text/html; a=b; charset=utf-8",
        "a/b;z=\"\\\"\\\\x\"|a/b; charset=utf-8; z=\"\\\"\\\\x\"",
        "a/b;x=1;x=2|a/b; charset=utf-8; x=2",
        "a/b;x=\"\"|a/b; charset=utf-8; x=\"\"",
        "a/b;x=\";\"|a/b; charset=utf-8; x=\";\""
      })
  void setsTheCharsetAndSortsParameters(String value, String expected) {
    assertEquals(expected, ContentType.withCharset(value, UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a/b;", "a/b; ", "a/b;;", "a/b ; ;", "a/b;\t"})
  @DisplayName("RFC 9110 section 5.6.6: empty parameters and tabs are allowed")
  void emptyParametersAreDropped(String value) {
    assertEquals("a/b; charset=utf-8", ContentType.withCharset(value, UTF_8));
    assertEquals("a/b; charset=utf-8; x=y", ContentType.withCharset(value + ";x=y; ", UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "text", "text/", "/html", "a/b/c", "a b/c", "; charset=x", "a/b,c/d"})
  void invalidTypesAreRejected(String value) {
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> ContentType.withCharset(value, UTF_8));
    assertEquals("content type \"" + value + "\" must begin with type/subtype", error.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a/b; x",
        "a/b; x=",
        "a/b; =y",
        "a/b; x=y z",
        "a/b; x=\"y",
        "a/b; x=\"y\"z",
        "a/b; x=\"\n\"",
        "a/b; x=\"\\"
      })
  void malformedParametersAreRejected(String value) {
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> ContentType.withCharset(value, UTF_8));
    String start = "content type \"" + LogText.escape(value) + "\" is malformed at index ";
    assertTrue(String.valueOf(error.getMessage()).startsWith(start), error.getMessage());
  }

  @Test
  void charsetsAreFoundInAnyLetterCase() {
    assertTrue(ContentType.hasCharset("text/html; Charset=x"));
    assertTrue(ContentType.hasCharset("text/html;charset="));
    assertFalse(ContentType.hasCharset("text/html"));
    assertFalse(ContentType.hasCharset("text/html; x=\"; charset=y\""));
  }
}
