package dev.percolate.multipart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Any boundary that can be distinguished from the rest of its line: more than RFC 2046 section
 * 5.1.1 allows, since clients send more. An example is {@code *****} in common sample code for
 * Android.
 */
final class BoundaryTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*****",
        "*",
        "-",
        "--",
        "----",
        "--X--",
        "a b",
        "a\tb",
        "'()+_,-./:=?",
        "!#$%&^`|~@",
        ";<>[]{}",
        "a;b",
        "\u00fc",
        "=_Part.1",
        "0123456789012345678901234567890123456789012345678901234567890123456789X"
      })
  void unambiguousBoundariesAreAccepted(String boundary) {
    String quoted = "\"" + boundary + "\"";
    assertEquals("{a=1, b=--\r\n-}", read(quoted, boundary), boundary);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*****", "a*b", "'()+_,-./:=?", "!#$%&^`|~@", "<>[]{}", "\u00fc", "a b"})
  void quotesAreNotNeeded(String boundary) {
    assertEquals("{a=1, b=--\r\n-}", read(boundary, boundary), boundary);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a\\\"b\"", "\"a\\\\b\""})
  void quotedPairsAreUnescaped(String quoted) {
    String boundary = quoted.substring(1, quoted.length() - 1).replaceAll("\\\\(.)", "$1");
    assertEquals("{a=1, b=--\r\n-}", read(quoted, boundary));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a \"", "\"a\t\"", "\"a\u0001b\"", "\"a\u007fb\"", "", "\"\""})
  void ambiguousBoundariesAreRejected(String quoted) {
    assertEquals("400 multipart.malformed", read(quoted, "a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data; charset=utf-8; boundary=X",
        "multipart/form-data; boundary=X; charset=utf-8",
        "multipart/form-data;boundary=X;charset=\"utf-8\"",
        "Multipart/Form-Data; Charset=UTF-8; Boundary=\"X\""
      })
  void otherParametersMayStandBesideIt(String type) {
    assertEquals("{a=1, b=--\r\n-}", readAs(type, "X"));
  }

  @Test
  void itHas256CharactersAtMost() {
    String longest = "x".repeat(256);
    assertEquals("{a=1, b=--\r\n-}", read(longest, longest));
    assertEquals("400 multipart.malformed", read(longest + "x", longest + "x"));
  }

  private static String read(String parameter, String boundary) {
    return readAs("multipart/form-data; boundary=" + parameter, boundary);
  }

  private static String readAs(String type, String boundary) {
    String form =
        String.join(
            "\r\n",
            "--" + boundary,
            "Content-Disposition: form-data; name=\"a\"",
            "",
            "1",
            "--" + boundary + "\t ",
            "Content-Disposition: form-data; name=\"b\"",
            "",
            "--",
            "-",
            "--" + boundary + "--",
            "");
    return Forms.read(Multipart.files(), type, form.getBytes(StandardCharsets.ISO_8859_1));
  }
}
