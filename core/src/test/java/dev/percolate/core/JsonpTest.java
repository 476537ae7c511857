package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonpTest {

  private static String callback(String target) {
    return Jsonp.callback(FakeExchange.of("GET", target).request());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/?callback=something|something",
        "/?callback=a.b$c_9|a.b$c_9",
        "/?callback=cbs[123]|cbs[123]",
        "/?callback=foo;bar()|foobar",
        "/?callback=%3Cscript%3Ealert(1)|scriptalert1",
        "/?callback=a-b%20c%22d%C3%A9|abcd",
        "/?callback=()|''",
        "/?callback=one&callback=two|one",
        "/?callback[]=only|only"
      })
  void theNameKeepsOnlyWhatNamesAreMadeOf(String target, String expected) {
    assertEquals(expected, callback(target));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/?callback=", "/?callback", "/?callback[a]=x", "/?cb=x"})
  void withoutANameThereIsNone(String target) {
    assertNull(callback(target));
  }

  @Test
  void aNameLongerThanAnyIsNone() {
    assertEquals("x".repeat(128), callback("/?callback=" + "x".repeat(128)));
    assertNull(callback("/?callback=" + "x".repeat(129)));
  }

  @Test
  void theSettingNamesTheParameter() {
    FakeExchange exchange = FakeExchange.of("GET", "/?clb=f&callback=g");
    assertEquals("f", Jsonp.callback(exchange.setting("jsonp callback name", "clb").request()));
  }

  @Test
  void lineSeparatorsAreEscaped() {
    assertEquals(
        "/**/ typeof f === 'function' && f(\"a\\u2028b\\u2029\");",
        Jsonp.call("f", "\"a\u2028b\u2029\""));
  }
}
