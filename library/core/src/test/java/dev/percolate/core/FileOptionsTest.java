package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FileOptionsTest {

  private static final FileOptions NONE = FileOptions.none();

  @Test
  void eachOptionReturnsACopyWithTheOtherOptions() {
    FileOptions options =
        NONE.root(Path.of("pub"))
            .index("a", "b")
            .extensions("htm")
            .dotfiles("deny")
            .hidden(true)
            .maxAge(5)
            .immutable(true)
            .etag(false)
            .lastModified(false)
            .start(1)
            .end(2)
            .headers((res, file, attributes) -> {});
    FileOptions copy = options.index("c");
    assertEquals(List.of("a", "b"), options.index);
    assertEquals(List.of("c"), copy.index);
    assertEquals(Path.of("pub").toAbsolutePath(), copy.root());
    assertEquals(List.of("htm"), copy.extensions);
    assertEquals("deny true true", copy.dotfiles + " " + copy.hidden + " " + copy.immutable);
    assertEquals("5 false false", copy.maxAge + " " + copy.etag + " " + copy.lastModified);
    assertEquals("1 2", copy.start + " " + copy.end);
    assertEquals(options.hook, copy.hook);
    assertEquals(List.of("index.html"), NONE.index);
    assertNull(NONE.dotfiles);
    assertTrue(NONE.etag && NONE.lastModified);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1999,1999",
    "31536000000,31536000000",
    "31536000001,31536000000",
    "9223372036854775807,31536000000"
  })
  void maxAgeIsLimitedToAYear(long millis, long age) {
    assertEquals(age, NONE.maxAge(millis).maxAge);
  }

  @ParameterizedTest
  @CsvSource({
    "1d,86400000",
    "2 Hours,7200000",
    "1.5m,90000",
    "5000,5000",
    "2y,31536000000",
    "200000000 years,31536000000"
  })
  void maxAgeCanBeAString(String text, long age) {
    assertEquals(age, NONE.maxAge(text).maxAge);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bananas", "1 week", "soon", "-1d", "", " 1d"})
  void invalidMaxAgesAreRejected(String text) {
    assertEquals(
        "maxAge must be a time such as \"2 hours\", was \"" + text + "\"",
        rejection(() -> NONE.maxAge(text)));
  }

  private static String rejection(Supplier<?> option) {
    Exception rejected = assertThrows(IllegalArgumentException.class, option::get);
    return String.valueOf(rejected.getMessage());
  }

  @Test
  void maxAgesOutOfRangeAreRejected() {
    assertEquals("maxAge must be at least 0, was -5", rejection(() -> NONE.maxAge(-5)));
    assertEquals(
        "maxAge must be at most 9223372036854775807, was \"99999999999999999999999999 years\"",
        rejection(() -> NONE.maxAge("99999999999999999999999999 years")));
  }

  @Test
  void invalidValuesAreRejectedWhenTheyAreSet() {
    assertEquals(
        "dotfiles must be allow, deny or ignore, was \"Allow\"",
        assertThrows(IllegalArgumentException.class, () -> NONE.dotfiles("Allow")).getMessage());
    assertEquals(
        "root must not be an empty path",
        assertThrows(IllegalArgumentException.class, () -> NONE.root(Path.of(""))).getMessage());
    assertEquals(
        "start must be at least 0, was -1",
        assertThrows(IllegalArgumentException.class, () -> NONE.start(-1)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> NONE.end(-1));
  }
}
