package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.percolate.core.JsonCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {

  private final JsonCodec codec = new JacksonCodec();

  @Test
  void valuesOfEachKindAreRead() {
    Object value = codec.read(" {\"a\" : [1, \"x\", true, false], \"b\":{},\"c\":[ ]}\r\n\t");
    assertEquals(Map.of("a", List.of(1, "x", true, false), "b", Map.of(), "c", List.of()), value);
    assertNull(codec.read("null"));
    assertEquals("x", codec.read("\"x\""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "[1,]",
        "{\"a\":1,}",
        "{,}",
        "[,1]",
        "[1 2]",
        "{\"a\" 1}",
        "{a:1}",
        "{'a':1}",
        "'x'",
        "01",
        "-01",
        "+1",
        ".5",
        "1.",
        "1.e3",
        "1e",
        "1e+",
        "-",
        "NaN",
        "Infinity",
        "-Infinity",
        "nul",
        "nullx",
        "True",
        "tru",
        "[1]x",
        "{} {}",
        "/**/1",
        "1//x",
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\\u123\"",
        "\"\\u\u0661\u0661\u0661\u0661\"",
        "\"\n\"",
        "\"\u0000\"",
        "\"\u001f\"",
        "\"a\\n\t\"",
        "\u00a01",
        "\u000b1",
        "\u20281",
        "\ufeff1",
        "1\ufeff",
        "[\f1]",
        "\u0000",
        "[1\u0000]",
        "\uffff",
        "\"\\",
        "\u0661",
        "0x10",
        "1_000",
        "[",
        "{",
        "{\"a\"",
        "{\"a\":",
        "[1",
        "]",
        "}",
        "[}",
        "{]",
        "undefined",
        "1,2"
      })
  void invalidJsonIsRejected(String text) {
    assertThrows(IllegalArgumentException.class, () -> codec.read(text));
  }

  @Test
  void otherCharactersThanControlsNeedNoEscape() {
    String text = "\u007f\u2028\u00e9\ud83d\ude00/";
    assertEquals(text, codec.read('"' + text + '"'));
  }

  @Test
  void escapesAreRead() {
    assertEquals(
        "\"\\/\b\f\n\r\tA\u00e9", codec.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00E9\""));
    assertEquals("\u0000x", codec.read("\"\\u0000x\""));
  }

  @Test
  void unpairedSurrogatesAreKept() {
    assertEquals("\ud800", codec.read("\"\\ud800\""));
    assertEquals("\ude00\ud83d", codec.read("\"\\ude00\\ud83d\""));
  }

  @Test
  @DisplayName("JSON-04: for equal names, the last value is used")
  void forEqualNamesTheLastValueIsUsedAtThePositionOfTheFirst() {
    Map<?, ?> map = (Map<?, ?>) codec.read("{\"b\":1,\"a\":2,\"b\":3}");
    assertEquals("{b=3, a=2}", String.valueOf(map));
  }

  @Test
  @DisplayName("JSON-04: names with a meaning in JavaScript are ordinary names")
  void namesWithAMeaningInJavaScriptAreOrdinary() {
    Object value = codec.read("{\"__proto__\":{\"x\":1},\"constructor\":2,\"\\u0000\":3,\"\":4}");
    assertEquals(Map.of("__proto__", Map.of("x", 1), "constructor", 2, "\u0000", 3, "", 4), value);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-0,0",
    "7,7",
    "-7,-7",
    "1.0,1",
    "1e3,1000",
    "2147483647,2147483647",
    "0e5,0",
    "-0.0,0",
    "12.5e1,125"
  })
  void integersAreInts(String text, int value) {
    assertEquals(value, codec.read(text));
  }

  @ParameterizedTest
  @CsvSource({
    "2147483648,2147483648",
    "9007199254740992,9007199254740992",
    "9007199254740993,9007199254740992",
    "-9007199254740993,-9007199254740992",
    "1e15,1000000000000000"
  })
  void largeIntegersAreLongsWithTheValueOfTheirDouble(String text, long value) {
    assertEquals(value, codec.read(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0.5,0.5",
    "9007199254740994,9007199254740994",
    "1e300,1e300",
    "1E-7,1e-7",
    "1e400,Infinity",
    "-1e400,-Infinity",
    "5e-324,5e-324"
  })
  void otherNumbersAreDoubles(String text, double value) {
    assertEquals(value, codec.read(text));
  }

  @Test
  void exactNumbersKeepTheirDigits() {
    JsonCodec.ReadOptions exact = new JsonCodec.ReadOptions(10, true);
    String text =
        "[9007199254740993,-1,12345678901234567890,9223372036854775807,0.10,1e2,-0.0,1.0]";
    List<Object> expected =
        List.of(
            9007199254740993L,
            -1,
            new BigInteger("12345678901234567890"),
            Long.MAX_VALUE,
            new BigDecimal("0.10"),
            new BigDecimal("1e2"),
            new BigDecimal("0.0"),
            new BigDecimal("1.0"));
    assertEquals(expected, codec.read(text, exact));
    assertEquals(new BigDecimal("1e-1000"), codec.read("1e-00000001000", exact));
  }

  @Test
  @DisplayName("JSON-02: exact numbers that are too expensive are rejected")
  void hugeExactNumbersAreRejected() {
    JsonCodec.ReadOptions exact = new JsonCodec.ReadOptions(10, true);
    for (String text :
        List.of(
            "1e1001",
            "1E-1001",
            "1e99999999999999999999",
            "1".repeat(1001),
            "0." + "3".repeat(99_990))) {
      Exception error =
          assertThrows(IllegalArgumentException.class, () -> codec.read("[" + text + "]", exact));
      assertEquals(
          "JSON: number with too many digits at line 1, column " + (text.length() + 2),
          error.getMessage());
    }
    assertEquals(new BigInteger("1".repeat(1000)), codec.read("1".repeat(1000), exact));
  }

  @Test
  @DisplayName("JSON-01: the depth is an option")
  void depthIsAnOption() {
    JsonCodec.ReadOptions flat = new JsonCodec.ReadOptions(2, false);
    assertEquals(List.of(List.of()), codec.read("[[]]", flat));
    assertThrows(IllegalArgumentException.class, () -> codec.read("[[{}]]", flat));
    for (int depth : new int[] {0, -1}) {
      assertThrows(IllegalArgumentException.class, () -> new JsonCodec.ReadOptions(depth, false));
    }
  }

  @Test
  void errorsNameLineAndColumn() {
    assertEquals("JSON: unexpected ']' at line 2, column 4", message("[1,\n 2,]"));
    assertEquals("JSON: unexpected end of text at line 1, column 2", message("["));
    assertEquals("JSON: unexpected U+00A0 at line 1, column 1", message("\u00a0"));
  }

  @Test
  void onlyTheSizeOfTheJsonLimitsItsDepth() {
    for (int levels : new int[] {1, 1001, 2000, 51_200, 500_000}) {
      assertEquals(levels, levels(codec.read("[".repeat(levels) + "]".repeat(levels))));
    }
    assertDoesNotThrow(() -> codec.read("[" + "[],".repeat(5000) + "[]]"));
  }

  private static int levels(@Nullable Object value) {
    int levels = 0;
    for (Object one = value;
        one instanceof List<?> list;
        one = list.isEmpty() ? null : list.get(0)) {
      levels++;
    }
    return levels;
  }

  @Test
  @DisplayName("JSON-01: deep JSON is rejected without a stack overflow")
  void deepJsonIsRejectedWithoutOverflow() {
    assertThrows(IllegalArgumentException.class, () -> codec.read("[".repeat(50_000)));
    assertThrows(IllegalArgumentException.class, () -> codec.read("{\"a\":".repeat(50_000)));
  }

  @Test
  @DisplayName("JSON-01: a deep value is written on a small stack")
  void aDeepValueIsWrittenOnASmallStack() throws InterruptedException {
    List<Object> printed = new ArrayList<>();
    Runnable task =
        () -> {
          String text = "{\"a\":".repeat(50_000) + "1" + "}".repeat(50_000);
          printed.add(codec.write(codec.read(text), JsonCodec.WriteOptions.COMPACT).length());
        };
    Thread thread = new Thread(null, task, "small", 512 * 1024);
    thread.start();
    thread.join();
    assertEquals(List.of(300_001), printed);
  }

  @Test
  @DisplayName("JSON-01: the depth of indented JSON is limited, as its length grows quadratically")
  void depthOfIndentedTextIsLimited() {
    JsonCodec.WriteOptions style = new JsonCodec.WriteOptions(" ", null, null);
    Object deepest = codec.read("[".repeat(2000) + "]".repeat(2000));
    assertEquals(2000 * 2000 + 3999, codec.write(deepest, style).length());
    Object deeper = codec.read("[".repeat(2001) + "]".repeat(2001));
    assertThrows(IllegalArgumentException.class, () -> codec.write(deeper, style));
    assertThrows(IllegalArgumentException.class, () -> codec.writeBytes(deeper, style));
  }

  @Test
  @DisplayName("JSON-02: huge numbers are read quickly")
  void hugeNumbersAreReadQuickly() {
    Duration limit = Duration.ofMillis(500);
    assertEquals(
        Double.POSITIVE_INFINITY,
        assertTimeoutPreemptively(limit, () -> codec.read("1e999999999")));
    assertEquals(0, assertTimeoutPreemptively(limit, () -> codec.read("-1e-999999999")));
    String digits = "1".repeat(100_000);
    assertEquals(
        Double.POSITIVE_INFINITY, assertTimeoutPreemptively(limit, () -> codec.read(digits)));
    String small = "0." + "0".repeat(99_990) + "1";
    assertEquals(0, assertTimeoutPreemptively(limit, () -> codec.read(small)));
    String third = "0." + "3".repeat(99_990);
    assertEquals(1.0 / 3, assertTimeoutPreemptively(limit, () -> codec.read(third)));
  }

  @Test
  @DisplayName("JSON-06: colliding names are read quickly")
  void collidingNamesAreReadQuickly() {
    StringBuilder text = new StringBuilder("{\"x\":0");
    for (int i = 0; i < 4096; i++) {
      text.append(",\"");
      for (int bit = 0; bit < 12; bit++) {
        text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      text.append("\":1");
    }
    Map<?, ?> map =
        (Map<?, ?>)
            assertTimeoutPreemptively(
                Duration.ofSeconds(2), () -> codec.read(text.append('}').toString()));
    assertEquals(4097, map.size());
  }

  private String message(String text) {
    return assertThrows(IllegalArgumentException.class, () -> codec.read(text)).getMessage();
  }
}
