package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {

  @Test
  void writesMapsListsNumbersBooleansAndNull() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", 1);
    map.put("b", Arrays.asList(true, null, 2.5, "x"));
    map.put("c", Map.of());
    assertEquals("{\"a\":1,\"b\":[true,null,2.5,\"x\"],\"c\":{}}", JsonText.of(map));
  }

  @Test
  void textCannotEndItsStringOrAScript() {
    assertEquals("\"\\\"\\\\\\n\\u0000\"", JsonText.of("\"\\\n\0"));
    assertEquals("\"\\u003c/script\\u003e\\u0026\"", JsonText.of("</script>&"));
    assertEquals("\"\\u2028\"", JsonText.of("\u2028"));
  }

  @Test
  void loneSurrogatesAreEscapedAndPairsAreNot() {
    assertEquals("[\"\\ud83d\",\"\uD83D\uDE00\"]", JsonText.of(List.of("\uD83D", "\uD83D\uDE00")));
  }

  @Test
  void nonFiniteNumbersAreStrings() {
    assertEquals("\"NaN\"", JsonText.of(Double.NaN));
  }
}
