package dev.percolate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the originals read sizes and times; see conformance/behaviour. */
final class QuantitiesTest {

  @ParameterizedTest
  @CsvSource({
    "1kb,1024",
    "100KB,102400",
    "1.5kb,1536",
    "2   Mb,2097152",
    "1gb,1073741824",
    "1tb,1099511627776",
    "1pb,1125899906842624",
    "0.1kb,102",
    "-1kb,-1024",
    "+1kb,1024",
    "-0.1kb,-103",
    "007kb,7168"
  })
  void numbersWithAUnitCountInPowersOf1024AndAreRoundedDown(String text, double expected) {
    assertEquals(expected, Quantities.bytes(text));
  }

  @ParameterizedTest
  @CsvSource({
    "3,3", "3b,3", "10 bananas,10", "3kib,3", "3.9,3", "' 3kb',3", "'3kb ',3", "1e3,1", "0x10,0",
    "'4,000',4", "3.kb,3", "-5,-5", "+5,5", "3k,3", "3.5.5kb,3", "3\tkb,3", "'\t 12x',12", "-0,0",
    "3kbb,3", "3xb,3", "3kB!,3", "3\u212ab,3", "'\u00a0\ufeff7\n',7"
  })
  void otherTextsAreReadAsTheirLeadingInteger(String text, double expected) {
    assertEquals(expected, Quantities.bytes(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "lots", ".5kb", "kb", "-", "+kb", "- 5", "true", "\u0663kb"})
  void textsWithoutALeadingIntegerAreInvalidSizes(String text) {
    assertEquals(Double.NaN, Quantities.bytes(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "5000,5000",
    "7ms,7",
    "7 msecs,7",
    "7 milliseconds,7",
    "2s,2000",
    "2 seconds,2000",
    "1.5m,90000",
    "3 MINS,180000",
    "2h,7200000",
    "2hrs,7200000",
    "1d,86400000",
    ".5 days,43200000",
    "1y,31557600000",
    "1 yr,31557600000",
    "0.25,0.25",
    "'1 ',1"
  })
  void aNumberAndAUnitAreMilliseconds(String text, double millis) {
    assertEquals(millis, Quantities.millis(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "bananas", "-1d", "1w", "1.", " 1d", "1e3", "1d2h", "\u0661d", "0x10"})
  void otherTextsAreInvalidTimes(String text) {
    assertEquals(Double.NaN, Quantities.millis(text));
  }

  @Test
  void numbersAreUnchangedAndOtherValuesAreInvalid() {
    assertEquals(-3.5, Quantities.bytes(-3.5));
    assertEquals(-5, Quantities.millis(-5L));
    assertEquals(Double.NaN, Quantities.bytes(true));
    assertEquals(Double.NaN, Quantities.bytes(null));
    assertEquals(Double.NaN, Quantities.millis(Map.of()));
  }
}
