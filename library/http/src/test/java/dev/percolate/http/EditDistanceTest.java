package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
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

  @ParameterizedTest
  @CsvSource({
    "view enginee, view engine",
    "viewEngine, view engine",
    "VIEW-ENGIN, view engine",
    "veiws, views",
    "idd, id",
    "ID, id",
    "view, views",
    "title,",
    "x,",
    "'',",
    "mail views,"
  })
  void aMisspelledWordIsFound(String word, String meant) {
    assertEquals(
        meant,
        EditDistance.nearest(word, List.of("view engine", "views", "trust proxy", "id", "y")));
  }
}
