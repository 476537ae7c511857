package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

  private static String rejection(String text) {
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> ByteSize.bytes("limit", text));
    return String.valueOf(error.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "1kb,1024",
    "100KB,102400",
    "1.5kb,1536",
    "1 mb,1048576",
    "2   Mb,2097152",
    "1gb,1073741824",
    "1tb,1099511627776",
    "1pb,1125899906842624",
    "0.1kb,102",
    "0kb,0",
    "007kb,7168",
    "8191pb,9222246136947933184"
  })
  void numbersWithAUnitCountInPowersOf1024AndAreRoundedDown(String text, long expected) {
    assertEquals(expected, ByteSize.bytes("limit", text));
  }

  @ParameterizedTest
  @CsvSource({"3,3", "3b,3", "3 B,3", "0,0", "102400,102400", "9007199254740993,9007199254740993"})
  void wholeNumbersAreBytes(String text, long expected) {
    assertEquals(expected, ByteSize.bytes("limit", text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "lots", "10 bananas", "3 bytes", "3kib", "3k", "3.9", "3.5b", " 3kb", "3kb ", "3 ",
        "1e3", "0x10", "4,000", "3.kb", ".5kb", "kb", "b", "-5", "-1kb", "+5", "3.5.5kb", "3\tkb",
        "\u0663kb", "3\u212ab", "true", "NaN"
      })
  void invalidSizesAreRejectedByNameAndValue(String text) {
    assertEquals("limit must be a size such as \"100kb\", was \"" + text + "\"", rejection(text));
  }

  @Test
  void sizesBeyondALongAreRejected() {
    assertEquals("limit must be at most 9223372036854775807, was \"8192pb\"", rejection("8192pb"));
    assertEquals(
        "limit must be at most 9223372036854775807, was \"9223372036854775808\"",
        rejection("9223372036854775808"));
    String nines = "9".repeat(100_000);
    assertEquals(
        "limit must be at most 9223372036854775807, was \"" + nines + "kb\"",
        rejection(nines + "kb"));
  }

  @Test
  void longTextsAreReadInOnePass() {
    assertEquals(7, ByteSize.bytes("limit", "7" + " ".repeat(100_000) + "b"));
    String blanks = "7" + " ".repeat(100_000);
    assertEquals(
        "limit must be a size such as \"100kb\", was \"" + blanks + "\"", rejection(blanks));
  }

  @Test
  void negativeNumbersAreRejectedByNameAndValue() {
    assertEquals(0, ByteSize.bytes("limit", 0));
    assertEquals(Long.MAX_VALUE, ByteSize.bytes("limit", Long.MAX_VALUE));
    Exception error =
        assertThrows(IllegalArgumentException.class, () -> ByteSize.bytes("limit", -5));
    assertEquals("limit must be at least 0, was -5", error.getMessage());
  }
}
