package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonpTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "something|something",
        "a.b$c_9|a.b$c_9",
        "cbs[123]|cbs[123]",
        "foo;bar()|foobar",
        "<script>alert(1)|scriptalert1",
        "a-b c\"d\u00e9|abcd",
        "()|''"
      })
  void otherCharactersAreRemovedFromTheName(String asked, String expected) {
    assertEquals(expected, Jsonp.callback(asked));
  }

  @Test
  void anAbsentNameReturnsNull() {
    assertNull(Jsonp.callback(null));
    assertNull(Jsonp.callback(""));
  }

  @Test
  void aLongNameReturnsNull() {
    assertEquals("x".repeat(128), Jsonp.callback("x".repeat(128)));
    assertNull(Jsonp.callback("x".repeat(129)));
  }

  @Test
  void lineSeparatorsAreEscaped() {
    assertEquals(
        "/**/ typeof f === 'function' && f(\"a\\u2028b\\u2029\");",
        Jsonp.call("f", "\"a\u2028b\u2029\""));
  }
}
