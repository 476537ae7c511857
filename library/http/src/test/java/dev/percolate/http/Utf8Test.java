package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Utf8Test {

  @ParameterizedTest
  @ValueSource(strings = {"", "a?b", "\u00e9\u20ac", "\uD83D\uDE00?", "what? \uD83D\uDE00"})
  void wholeTextIsPlainUtf8(String text) {
    assertArrayEquals(text.getBytes(StandardCharsets.UTF_8), Utf8.bytes(text));
  }

  @Test
  void loneSurrogatesBecomeReplacementCharacters() {
    assertEquals("61efbfbd62", hex("a\uD83Db"));
    assertEquals("efbfbd", hex("\uDE00"));
    assertEquals("3fefbfbd", hex("?\uD83D"));
    assertEquals("efbfbdefbfbd", hex("\uDE00\uD83D"));
    assertEquals("f09f9880efbfbd", hex("\uD83D\uDE00\uDE00"));
    assertEquals("efbfbdf09f9880", hex("\uD83D\uD83D\uDE00"));
  }

  /** Bytes are checked eight at a time. */
  @Test
  void loneSurrogatesAreFoundAtAnyPosition() {
    for (int at = 0; at <= 20; at++) {
      String before = "~".repeat(at);
      String behind = "\u00E9".repeat(20 - at);
      byte[] expected = (before + '\uFFFD' + behind).getBytes(StandardCharsets.UTF_8);
      assertArrayEquals(expected, Utf8.bytes(before + '\uD83D' + behind), "at " + at);
    }
  }

  /** As in browsers, the start of a character is replaced as a whole. */
  @ParameterizedTest
  @CsvSource({
    "'',''",
    "61,a",
    "c3a9,\u00e9",
    "efbbbf61,a",
    "efbbbf,''",
    "efbbbfefbbbf,\ufeff",
    "61efbbbf,a\ufeff",
    "ff,\ufffd",
    "61c3,a\ufffd",
    "e28261,\ufffda",
    "f09f9861,\ufffda",
    "c080,\ufffd\ufffd",
    "eda080,\ufffd\ufffd\ufffd",
    "61edbfbf62,a\ufffd\ufffd\ufffdb",
    "eda0bdedb880,\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd",
    "ed9fbf,\ud7ff",
    "ed,\ufffd",
    "eda0,\ufffd\ufffd",
    "efbbbfeda080,\ufffd\ufffd\ufffd",
    "efbfbd,\ufffd",
    "f09f9880,\ud83d\ude00"
  })
  void bytesAreDecodedAsBrowsersDo(String hex, String text) {
    assertEquals(text, Utf8.text(HexFormat.of().parseHex(hex)));
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(Utf8.bytes(text));
  }
}
