package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.JsonCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JavaUtilDate") // applications use them
class JsonWriterTest {

  private final JsonCodec codec = new JacksonCodec();

  record Point(int y, int x, Instant when, @Nullable String note) {}

  record Numbers(long big, double third, float tenth, BigDecimal exact, double none) {}

  /** A bean. */
  public static final class Bean {
    /** Returns a name. */
    public String getName() {
      return "n";
    }
  }

  /** A date that cannot be converted to an instant, like those of java.sql. */
  private static final class DayOnly extends Date {
    private static final long serialVersionUID = 1L;

    DayOnly(long time) {
      super(time);
    }

    @Override
    public Instant toInstant() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void plainValuesAreWrittenCompactly() {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put("b", List.of());
    map.put("a", Map.of());
    map.put(3, Arrays.asList(null, true, 1, "x", 'c'));
    assertEquals("{\"b\":[],\"a\":{},\"3\":[null,true,1,\"x\",\"c\"]}", text(map));
    assertEquals("null", text(null));
  }

  @Test
  void onlyQuotesBackslashesAndControlsAreEscaped() {
    assertEquals(
        "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\\u000b\"", text("\"\\\b\f\n\r\t\0\u001f\u000b"));
    assertEquals("\"/<>&'\u007f\u2028\u00e9\"", text("/<>&'\u007f\u2028\u00e9"));
  }

  @Test
  void unpairedSurrogatesAreEscapedAndPairsAreNot() {
    assertEquals("\"\\ud800\"", text("\ud800"));
    assertEquals("\"x\\udc00y\"", text("x\udc00y"));
    assertEquals("\"\\ude00\\ud83d\"", text("\ude00\ud83d"));
    assertEquals("\"\ud83d\ude00\"", text("\ud83d\ude00"));
    assertEquals("\"\\ud83d\ud83d\ude00\\ude00\"", text("\ud83d\ud83d\ude00\ude00"));
  }

  @Test
  void numbersKeepTheirDigits() {
    assertEquals("9007199254740993", text(9007199254740993L));
    assertEquals(
        "123456789012345678901234567890", text(new BigInteger("123456789012345678901234567890")));
    assertEquals("1.10", text(new BigDecimal("1.10")));
    assertEquals("[3,0.1,1,2]", text(List.of(3.0, 0.1f, (short) 1, (byte) 2)));
    assertEquals("[null,null]", text(List.of(Double.NaN, Double.NEGATIVE_INFINITY)));
  }

  @Test
  void datesAreIsoStringsInUtcWithMilliseconds() {
    assertEquals("\"2020-01-02T03:04:05.000Z\"", text(Instant.parse("2020-01-02T03:04:05Z")));
    assertEquals(
        "\"2020-01-02T03:04:05.678Z\"", text(Instant.parse("2020-01-02T03:04:05.678912Z")));
    assertEquals("\"1970-01-01T00:00:00.001Z\"", text(new Date(1)));
    assertEquals("\"1970-01-01T00:00:00.001Z\"", text(new DayOnly(1)));
  }

  @Test
  void recordsAreWrittenInTheOrderOfTheirComponents() {
    Point point = new Point(1, 2, Instant.parse("2020-01-02T03:04:05Z"), null);
    assertEquals(
        "{\"y\":1,\"x\":2,\"when\":\"2020-01-02T03:04:05.000Z\",\"note\":null}", text(point));
  }

  @Test
  void numbersInRecordsAreWrittenLikeOthers() {
    Numbers numbers =
        new Numbers(9007199254740993L, 1e21, 0.1f, new BigDecimal("1.10"), Double.NaN);
    assertEquals(
        "{\"big\":9007199254740993,\"third\":1e+21,\"tenth\":0.1,\"exact\":1.10,\"none\":null}",
        text(numbers));
  }

  @Test
  void jacksonWritesBeansArraysAndOptionals() {
    assertEquals("{\"name\":\"n\"}", text(new Bean()));
    assertEquals(
        "[[1,2],[\"a\"],\"AQI=\"]",
        text(List.of(new int[] {1, 2}, new String[] {"a"}, new byte[] {1, 2})));
    assertEquals("[\"x\",null]", text(List.of(Optional.of("x"), Optional.empty())));
    assertEquals("[\"RUNNABLE\"]", text(List.of(Thread.State.RUNNABLE)));
  }

  @Test
  void absentDropsEntriesAndIsNullInLists() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", JsonCodec.ABSENT);
    map.put("b", Arrays.asList(JsonCodec.ABSENT, 1));
    assertEquals("{\"b\":[null,1]}", text(map));
    assertEquals("{}", text(Map.of("a", JsonCodec.ABSENT)));
    assertEquals("", text(JsonCodec.ABSENT));
  }

  @Test
  void indentationPutsEachItemOnItsOwnLine() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", List.of(1, Map.of()));
    map.put("b", List.of());
    JsonCodec.WriteOptions style = new JsonCodec.WriteOptions("  ", null, null);
    assertEquals("{\n  \"a\": [\n    1,\n    {}\n  ],\n  \"b\": []\n}", codec.write(map, style));
    assertEquals("{}", codec.write(Map.of("a", JsonCodec.ABSENT), style));
    assertEquals("[\n-1\n]", codec.write(List.of(1), new JsonCodec.WriteOptions("-", null, null)));
  }

  @Test
  void replacersSeeTheWholeValueThenEntriesFromOutsideToInside() {
    List<String> seen = new ArrayList<>();
    JsonCodec.Replacer replacer =
        (key, value) -> {
          seen.add(key + "=" + value);
          return "secret".equals(key) ? JsonCodec.ABSENT : value;
        };
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("secret", 1);
    map.put("list", List.of(5, Map.of("secret", 2)));
    String text = codec.write(map, new JsonCodec.WriteOptions("", replacer, null));
    assertEquals("{\"list\":[5,{}]}", text);
    assertEquals(
        List.of(
            "={secret=1, list=[5, {secret=2}]}",
            "secret=1",
            "list=[5, {secret=2}]",
            "0=5",
            "1={secret=2}",
            "secret=2"),
        seen);
  }

  @Test
  void theResultOfTheReplacerIsWritten() {
    JsonCodec.Replacer replacer =
        (key, value) -> key.isEmpty() ? List.of("a", 1) : "<" + value + ">";
    assertEquals(
        "[\"<a>\",\"<1>\"]", codec.write(null, new JsonCodec.WriteOptions("", replacer, null)));
    JsonCodec.Replacer none = (key, value) -> JsonCodec.ABSENT;
    assertEquals("", codec.write(1, new JsonCodec.WriteOptions("", none, null)));
  }

  @Test
  void replacersSeeDatesAsStrings() {
    JsonCodec.Replacer replacer = (key, value) -> value instanceof String ? "text" : value;
    assertEquals(
        "[\"text\"]",
        codec.write(List.of(new Date(0)), new JsonCodec.WriteOptions("", replacer, null)));
  }

  @Test
  void namesAreKeptInTheirOrderAtEveryDepth() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", 1);
    map.put("name", "x");
    map.put("sub", List.of(Map.of("name", 2), new Point(1, 2, Instant.EPOCH, "n")));
    JsonCodec.WriteOptions style =
        new JsonCodec.WriteOptions("", null, List.of("sub", "id", "x", "sub"));
    assertEquals("{\"sub\":[{},{\"x\":2}],\"id\":1}", codec.write(map, style));
  }

  @Test
  void valuesThatContainThemselvesAreRejected() {
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThrows(IllegalArgumentException.class, () -> text(list));
  }

  private String text(@Nullable Object value) {
    return codec.write(value, JsonCodec.WriteOptions.COMPACT);
  }
}
