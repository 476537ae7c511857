package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "bytes=-10|0-9",
        "bytes=0-0,5-6,-1|0-0 5-6 9-9",
        "bytes=2|2-9",
        "bytes= 1- 3|1-3",
        "bytes=1x-3y|1-3",
        "bytes=1-3-x|1-3",
        "bytes=0-9223372036854775808|0-9",
        "bytes=x-3|7-9",
        "bytes=3-x|3-9",
        "bytes=+1-5|1-5",
        "bytes= +1-+5|1-5",
        "bytes=-+3|7-9",
        "bytes=++1-3|7-9",
        "bytes=+-3|7-9"
      })
  void rangesAreCutToTheSize(String header, String expected) {
    Range range = Range.parse(header, 10);
    StringBuilder parts = new StringBuilder();
    range
        .parts()
        .forEach(part -> parts.append(' ').append(part.start()).append('-').append(part.end()));
    assertEquals(expected, parts.substring(1));
    assertEquals(0, range.code());
    assertEquals("bytes", range.unit());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bytes=",
        "bytes=10-",
        "bytes=5-2",
        "bytes=-0",
        "bytes=-11",
        "bytes=a-b",
        "bytes=-",
        "bytes=0-1,",
        "bytes=0-1,10-",
        "bytes=18446744073709551615-",
        "bytes=-18446744073709551615",
        "bytes=--5"
      })
  void oneBadPartMakesTheWholeUnsatisfiable(String header) {
    Range range = Range.parse(header, 10);
    assertEquals(Range.UNSATISFIABLE, range.code());
    assertEquals(0, range.parts().size());
  }

  @Test
  void anyUnitIsTaken() {
    assertEquals("items x", Range.parse("items x=0-1=2", 10).unit());
    assertEquals("", Range.parse("=0-1", 10).unit());
  }

  @Test
  void withoutEqualsSignTheHeaderIsMalformed() {
    assertEquals(Range.MALFORMED, Range.parse("bytes 0-1", 10).code());
    assertEquals(Range.MALFORMED, Range.parse(" ", 10).code());
  }

  @Test
  void withoutHeaderOrWithAnEmptyOneThereIsNoRange() {
    assertNull(Range.parse(null, 10));
    assertNull(Range.parse("", 10));
  }

  @Test
  void nothingIsSatisfiableOfNothing() {
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=0-", 0).code());
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=-1", 0).code());
  }

  @Test
  void hostileHeadersAreReadInOnePass() {
    assertEquals(25_001, Range.parse("bytes=0-" + ",0-".repeat(25_000), 10).parts().size());
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=" + "-".repeat(100_000), 10).code());
    assertEquals(Range.UNSATISFIABLE, Range.parse("bytes=" + "9".repeat(100_000) + "-", 10).code());
  }
}
