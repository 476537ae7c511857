package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EditDistanceTest {

  @ParameterizedTest
  @CsvSource({
    "tiny, tiny, 0",
    "tinyy, tiny, 1",
    "tny, tiny, 1",
    "tint, tiny, 1",
    "tniy, tiny, 1",
    "combind, combined, 1",
    "'', dev, 3",
    "short, dev, 5"
  })
  void eachLetterAddedRemovedReplacedOrSwappedCountsOnceInBothDirections(
      String a, String b, int distance) {
    assertEquals(distance, EditDistance.between(a, b));
    assertEquals(distance, EditDistance.between(b, a));
  }
}
