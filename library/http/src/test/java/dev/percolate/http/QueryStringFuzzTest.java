package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A query is a tree of strings, which is as deep as its brackets up to the limit. */
final class QueryStringFuzzTest {

  @FuzzTest
  void queriesAreTreesOfStrings(byte[] data) {
    String text = FuzzLines.text(data);
    Map<String, Object> query = QueryString.parse(text);
    assertTrue(depth(query) <= text.length() + 1);
    assertEquals(query, QueryString.parse(text));
  }

  private static int depth(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return 1 + map.values().stream().mapToInt(QueryStringFuzzTest::depth).max().orElse(0);
    }
    if (value instanceof Collection<?> list) {
      return 1 + list.stream().mapToInt(QueryStringFuzzTest::depth).max().orElse(0);
    }
    boolean gap = value == null;
    assertTrue(gap || value instanceof String || value instanceof Boolean, () -> "" + value);
    return 0;
  }
}
