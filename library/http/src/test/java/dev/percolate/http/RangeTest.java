package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The byte ranges of a Range header: RFC 9110 sections 14.1.1 and 14.1.2. */
class RangeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=0-4|0-4",
        "bytes=5-|5-9",
        "bytes=-3|7-9",
        "bytes=0-99|0-9",
        "bytes=9-9|9-9",
        "bytes=0-0,5-6,-1|0-0 5-6 9-9",
        "bytes=0-9223372036854775808|0-9",
        "bytes=000-004|0-4"
      })
  void rangesAreLimitedToTheSize(String header, String expected) {
    assertEquals(expected, parts(Range.parse(header, 10)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-10", "-11", "-20", "-18446744073709551615"})
  void aLongSuffixIsTheWholeContent(String suffix) {
    assertEquals("0-9", parts(Range.parse("bytes=" + suffix, 10)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0-1,50-60", "50-,0-1", "-0,0-1", "10-10, 0-1 ,18446744073709551615-"})
  void rangesOutsideTheSizeAreOmitted(String ranges) {
    assertEquals("0-1", parts(Range.parse("bytes=" + ranges, 10)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0-1,", ",0-1", " 0-1 ", "0-1 ,, ", ",\t,0-1"})
  void emptyElementsAndSpacesAreIgnored(String ranges) {
    assertEquals("0-1", parts(Range.parse("bytes=" + ranges, 10)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10-", "-0", "10-12,20-", "18446744073709551615-", "10-12,-0"})
  void aHeaderWithoutASatisfiableRangeIsUnsatisfiable(String ranges) {
    assertUnsatisfiable("bytes=" + ranges);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "-",
        "2",
        "5-2",
        "a-b",
        "x-3",
        "3-x",
        "+1-5",
        "-+3",
        "--5",
        "1-3-x",
        "1x-3y",
        "1- 3",
        "0-1 2-3",
        "0-1;2-3",
        "0-1,5-2",
        "0-1,x",
        "0-1,bytes=2-3",
        "\u0661-2"
      })
  void oneInvalidRangeMakesTheHeaderUnsatisfiable(String ranges) {
    assertUnsatisfiable("bytes=" + ranges);
  }

  private static void assertUnsatisfiable(String header) {
    Range range = Range.parse(header, 10);
    assertEquals(Range.UNSATISFIABLE, range.code());
    assertEquals(0, range.parts().size());
  }

  private static String parts(Range range) {
    assertEquals(0, range.code());
    assertEquals("bytes", range.unit());
    StringBuilder parts = new StringBuilder();
    range
        .parts()
        .forEach(part -> parts.append(' ').append(part.start()).append('-').append(part.end()));
    return parts.toString().strip();
  }

  @Test
  void anyUnitIsAccepted() {
    assertEquals("items x", Range.parse("items x=0-1", 10).unit());
    assertEquals("", Range.parse("=0-1", 10).unit());
  }

  @Test
  void aHeaderWithoutAnEqualsSignIsMalformed() {
    assertEquals(Range.MALFORMED, Range.parse("bytes 0-1", 10).code());
    assertEquals(Range.MALFORMED, Range.parse(" ", 10).code());
  }

  @Test
  void anAbsentOrEmptyHeaderHasNoRanges() {
    assertNull(Range.parse(null, 10));
    assertNull(Range.parse("", 10));
  }

  @Test
  void ofEmptyContentOnlyASuffixIsSatisfiable() {
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=0-", 0).code());
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=-0", 0).code());
    assertEquals("", parts(Range.parse("bytes=-1", 0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bytes=-10|0",
        "bytes=-11|-1",
        "bytes=0-1,50-60|-1",
        "bytes=0-1,|-1",
        "bytes=2|0",
        "bytes=x-3|0",
        "bytes= +1-+5|0",
        "bytes=1-3-x|0",
        "items=0-1|0",
        "bytes|-2"
      })
  void expressReadsLeadingNumbersAndRejectsLongSuffixes(String header, int code) {
    assertEquals(code, ConditionalRequests.EXPRESS.range(header, 10).code());
  }

  @Test
  void hostileHeadersAreReadInOnePass() {
    assertEquals(25_001, Range.parse("bytes=0-" + ",0-".repeat(25_000), 10).parts().size());
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=" + "-".repeat(100_000), 10).code());
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=" + "9".repeat(100_000) + "-", 10).code());
  }
}
