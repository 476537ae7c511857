package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.TypeRef;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@SuppressWarnings("JavaUtilDate") // applications use them
class JacksonCodecTest {

  private final JsonCodec codec = new JacksonCodec();

  record Order(long id, BigDecimal price, List<String> tags) {}

  record Positive(int value) {
    Positive {
      if (value < 1) {
        throw new IllegalArgumentException("value must be positive");
      }
    }
  }

  record Flags(boolean open, int count, double share, char sign, Integer maybe) {}

  record Times(Instant instant, Date date) {}

  @Test
  void theServiceLoaderFindsThisCodec() {
    assertInstanceOf(JacksonCodec.class, JsonCodec.find());
  }

  @Test
  void numbersOfTypesKeepTheirDigits() {
    String text = "{\"id\":9007199254740993,\"price\":0.10,\"tags\":[\"a\"],\"more\":1}";
    Order order = new Order(9007199254740993L, new BigDecimal("0.10"), List.of("a"));
    assertEquals(order, codec.read(text, Order.class));
  }

  @Test
  void typesWithArgumentsAreRead() {
    TypeRef<Map<String, List<Long>>> type = new TypeRef<>() {};
    assertEquals(Map.of("a", List.of(1L)), codec.read("{\"a\":[1]}", type.type()));
    assertNull(codec.read("null", Order.class));
  }

  @Test
  void datesAreReadInAnyIsoForm() {
    Times times = new Times(Instant.parse("2020-01-02T03:04:05Z"), new Date(0));
    String text = "{\"instant\":\"2020-01-02T03:04:05Z\",\"date\":\"1970-01-01T00:00:00Z\"}";
    assertEquals(times, codec.read(text, Times.class));
  }

  @Test
  void absentPrimitivesAreZeroAndNullIsRejected() {
    assertEquals(new Flags(false, 0, 0, '\0', null), codec.read("{}", Flags.class));
    assertEquals(
        new Flags(true, 7, 0.5, 'x', 1),
        codec.read(
            "{\"open\":true,\"count\":7,\"share\":0.5,\"sign\":\"x\",\"maybe\":1}", Flags.class));
    for (String name : List.of("open", "count", "share", "sign")) {
      String text = "{\"" + name + "\":null}";
      assertThrows(IllegalArgumentException.class, () -> codec.read(text, Flags.class), name);
    }
    assertArrayEquals(new int[] {1}, (int[]) codec.read("[1]", int[].class));
  }

  @Test
  void fractionsAreNotTruncatedToIntegers() {
    assertThrows(IllegalArgumentException.class, () -> codec.read("1.5", Integer.class));
  }

  @Test
  void messagesNameThePositionAndNoClass() {
    String text = "[{\"id\":1,\"price\":1,\"tags\":[\n{}]}]";
    TypeRef<List<Order>> type = new TypeRef<>() {};
    String message = message(text, type.type());
    assertEquals(
        "JSON: the value of /0/tags/0 is invalid (expected a string) at line 2, column 1", message);
  }

  @Test
  void messagesContainThoseOfTheConstructor() {
    String message = message("{\"value\":0}", Positive.class);
    assertEquals(
        "JSON: the value is invalid (value must be positive)",
        message.substring(0, message.indexOf(" at line")));
  }

  @Test
  void malformedJsonIsRejectedForTypesToo() {
    for (String text : List.of("", "{", "[1]x", "{'id':1}", "{\"id\":01}", "{\"id\":NaN}")) {
      assertThrows(IllegalArgumentException.class, () -> codec.read(text, Object.class), text);
    }
  }

  @Test
  @DisplayName("JSON-01: deep JSON for a type is rejected without a stack overflow")
  void deepJsonForATypeIsRejectedWithoutOverflow() {
    String text = "[".repeat(50_000);
    assertThrows(IllegalArgumentException.class, () -> codec.read(text, Object.class));
  }

  @Test
  @DisplayName("JSON-02: huge numbers for a type are rejected")
  void hugeNumbersForATypeAreRejected() {
    String digits = "1".repeat(100_000);
    assertThrows(IllegalArgumentException.class, () -> codec.read(digits, BigInteger.class));
    assertThrows(IllegalArgumentException.class, () -> codec.read("1e2000000", BigInteger.class));
  }

  @Test
  @DisplayName("JSON-08: class names in JSON are ordinary data")
  void classNamesInJsonAreOrdinaryData() {
    Object value =
        codec.read("{\"@class\":\"java.net.URL\",\"v\":[\"java.net.URL\",\"x\"]}", Object.class);
    assertEquals(Map.of("@class", "java.net.URL", "v", List.of("java.net.URL", "x")), value);
    String message = message("[\"dev.percolate.json.Positive\",{\"value\":1}]", Positive.class);
    assertFalse(message.contains("Positive"), message);
  }

  private String message(String text, java.lang.reflect.Type type) {
    return assertThrows(IllegalArgumentException.class, () -> codec.read(text, type)).getMessage();
  }
}
