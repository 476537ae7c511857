package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

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
    "-1kb,-1024",
    "+1kb,1024",
    "-0.1kb,-103",
    "0kb,0",
    "007kb,7168"
  })
  void numbersWithAUnitCountInPowersOf1024AndAreRoundedDown(String text, double expected) {
    assertEquals(expected, ByteSize.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "3,3", "3b,3", "3 bytes,3", "3kib,3", "3.9,3", "' 3kb',3", "'3kb ',3", "1e3,1", "0x10,0",
    "'4,000',4", "3.kb,3", "-5,-5", "+5,5", "3k,3", "3.5.5kb,3", "3\tkb,3", "'\t 12x',12", "-0,0",
    "3kbb,3", "3xb,3", "3kB!,3"
  })
  void ofOtherTextTheLeadingIntegerCounts(String text, double expected) {
    assertEquals(expected, ByteSize.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "lots", ".5kb", "kb", "-", "+kb", "- 5", "true", "\u0663kb"})
  void textWithoutALeadingIntegerIsInvalid(String text) {
    Exception error = assertThrows(IllegalArgumentException.class, () -> ByteSize.parse(text));
    assertEquals("size \"" + text + "\" is invalid", error.getMessage());
  }

  @Test
  void theKelvinSignIsNoUnit() {
    assertEquals(3, ByteSize.parse("3\u212ab"));
  }

  @Test
  void longTextsAreReadInOnePass() {
    assertEquals(7, ByteSize.parse("7" + " ".repeat(100_000)));
    assertEquals(Double.POSITIVE_INFINITY, ByteSize.parse("9".repeat(100_000) + "kb"));
  }
}
