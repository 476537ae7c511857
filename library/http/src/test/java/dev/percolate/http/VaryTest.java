package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VaryTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|Accept|Accept",
        "Accept|accept|Accept",
        "Accept|User-Agent|Accept, User-Agent",
        "Accept,Cookie|COOKIE, Origin|Accept,Cookie, Origin",
        "''|' A ,  b,a '|A, b",
        "*|Accept|*",
        "Accept, *|Cookie|*",
        "Accept|X, *|*",
        "Accept|''|Accept",
        "Accept|X,,Y,|Accept, X, Y"
      })
  void eachNameIsAddedOnceInItsOwnCase(String value, String names, String expected) {
    assertEquals(expected, Vary.with(value, Vary.names(names)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a\tb", "(a", "a:b", "\"a\"", "a/b", "a;b", "{a}", "a=b", "a\\b"})
  void namesWithSeparatorsAreRejected(String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Vary.with("*", List.of("ok", name)))
            .getMessage();
    assertEquals("vary(\"" + LogText.escape(name) + "\"): must be the name of a header", message);
  }

  @Test
  void namesInAListAreNotSplit() {
    assertThrows(IllegalArgumentException.class, () -> Vary.with("", List.of("a,b")));
  }

  @Test
  void aBlankTextHasNoNames() {
    assertEquals(List.of(), Vary.names("  "));
  }
}
