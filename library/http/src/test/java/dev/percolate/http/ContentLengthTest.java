package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContentLengthTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "' 7 ', 7",
    "0010, 10",
    "0000000000000000000001, 1",
    "999999999999999999, 999999999999999999",
    "1000000000000000000, 9223372036854775807"
  })
  void digitsAreParsed(String header, long length) {
    assertEquals(length, ContentLength.parse(header));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "+1", "-1", "0x1", "1,1", "1 1", "1.0", "\u0661"})
  void otherValuesAreInvalid(String header) {
    assertEquals(-1, ContentLength.parse(header));
  }

  @Test
  void anAbsentHeaderHasNoLength() {
    assertEquals(-1, ContentLength.parse(null));
  }
}
