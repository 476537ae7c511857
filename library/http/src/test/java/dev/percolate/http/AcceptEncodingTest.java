package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcceptEncodingTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "gzip|gzip",
        "deflate|deflate",
        "deflate, gzip|gzip",
        "gzip;q=0.5, deflate;q=0.9|gzip",
        "deflate;q=0.9, gzip;q=0|deflate",
        "deflate;q=0.9, gzip;q=0.1, identity;q=0.5|-",
        "identity, gzip;q=0.5|-",
        "identity;q=0.5, gzip;q=0.5|-",
        "gzip;q=0.5, identity;q=0.5|gzip",
        "*|gzip",
        "*;q=0|-",
        "*;q=0, deflate|deflate",
        "*, gzip;q=0|deflate",
        "identity, *|-",
        "br|-",
        "br, gzip;q=0.001|gzip",
        "GZip|gzip",
        "x-gzip|gzip",
        "X-GZIP;Q=0|-",
        "gzip;Q=0.1, deflate;q=0.9|gzip",
        "gzip ; q=0|-",
        "gzip;q=x|-",
        "|-",
        ",,|-",
      })
  void theBestCodingIsChosen(@Nullable String header, @Nullable String coding) {
    assertEquals(coding, AcceptEncoding.best(header == null ? "" : header));
  }

  @Test
  void returnsNullWithoutTheHeader() {
    assertEquals(null, AcceptEncoding.best(null));
  }
}
