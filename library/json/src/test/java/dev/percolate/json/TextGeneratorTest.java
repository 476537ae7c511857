package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.percolate.core.JsonCodec;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;

class TextGeneratorTest {

  private static final JsonCodec.Replacer SAME = (key, value) -> value;

  private final JsonCodec codec = new JacksonCodec();

  record Leaf(
      String text, double number, float small, long big, boolean yes, @Nullable Object none) {}

  record Tree(List<Leaf> leaves, Map<String, Object> named, List<Tree> trees, Object bytes) {}

  record Names(
      @JsonProperty("a\"b") int quote,
      @JsonProperty("caf\u00e9") int accent,
      @JsonProperty("\u0001") int control,
      @JsonProperty("\ud800") int half,
      @JsonProperty("\ud83d\ude00") int pair) {}

  record Raw(@JsonRawValue String value, int next) {}

  record Inner(int x, int y) {}

  record Outer(@JsonUnwrapped Inner inner, int z) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
  sealed interface Shape permits Circle, Square {}

  record Circle(int radius) implements Shape {}

  record Square(int side) implements Shape {}

  record Drawing(List<Shape> shapes) {}

  /** Has names that are not declared in a class. */
  static final class Open {
    @JsonAnyGetter
    public Map<String, Object> all() {
      return Map.of("k", new Inner(1, 2));
    }
  }

  /** Contains itself. */
  static final class Loop {
    public Loop getNext() {
      return this;
    }
  }

  @JsonSerialize(using = EveryWay.class)
  record Odd(int ignored) {}

  /** Uses methods that Jackson's serializers do not call. */
  static final class EveryWay extends ValueSerializer<Odd> {
    @Override
    public void serialize(Odd value, JsonGenerator out, SerializationContext context) {
      byte[] utf8 = "\u00e9".getBytes(StandardCharsets.UTF_8);
      out.writeStartObject(value, 1);
      out.writeName("list").writeStartArray(value, 2);
      out.writeString(new StringReader("r"), -1).writeString("xcharsx".toCharArray(), 1, 5);
      out.writeUTF8String(utf8, 0, 2).writeRawUTF8String(utf8, 0, 2);
      out.writeRawValue("[ 1 ]").writeNumber("1.50").writeNumber((short) 3);
      out.writeNumber((BigInteger) null).writeNumber(new BigDecimal("1E+3"));
      out.writeString((String) null).writePOJO(new Inner(1, 2)).writeBinary(new byte[] {1, 2});
      out.writeArray(new int[] {1, 2}, 0, 2).writeEndArray();
      out.writePropertyId(7).writeNull().writeEndObject();
    }
  }

  @Test
  void streamedValuesEqualConvertedOnes() {
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 300; i++) {
      Tree tree = tree(random, 3);
      for (String indent : List.of("", "  ")) {
        String streamed = codec.write(tree, new JsonCodec.WriteOptions(indent, null, null));
        String around = codec.write(tree, new JsonCodec.WriteOptions(indent, SAME, null));
        assertEquals(around, streamed);
        assertArrayEquals(
            streamed.getBytes(StandardCharsets.UTF_8),
            codec.writeBytes(tree, new JsonCodec.WriteOptions(indent, null, null)));
      }
    }
  }

  @Test
  void namesAreEscapedLikeStrings() {
    assertEquals(
        "{\"a\\\"b\":1,\"caf\u00e9\":2,\"\\u0001\":3,\"\\ud800\":4,\"\ud83d\ude00\":5}",
        text(new Names(1, 2, 3, 4, 5)));
  }

  @Test
  void annotationsOfJacksonApply() {
    assertEquals("{\"value\":{\"b\" : 1},\"next\":2}", text(new Raw("{\"b\" : 1}", 2)));
    assertEquals("{\"x\":1,\"y\":2,\"z\":3}", text(new Outer(new Inner(1, 2), 3)));
    assertEquals(
        "{\"shapes\":[{\"kind\":\"Circle\",\"radius\":1},{\"kind\":\"Square\",\"side\":2}]}",
        text(new Drawing(List.of(new Circle(1), new Square(2)))));
    assertEquals("{\"k\":{\"x\":1,\"y\":2}}", text(new Open()));
  }

  @Test
  void serializersMayUseAllMethods() {
    assertEquals(
        "{\"list\":[\"r\",\"chars\",\"\u00e9\",\"\u00e9\",[ 1 ],1.50,3,null,1E+3,null,"
            + "{\"x\":1,\"y\":2},\"AQI=\",[1,2]],\"7\":null}",
        text(new Odd(0)));
  }

  @Test
  void indentationCountsLevelsOfTheWholeText() {
    JsonCodec.WriteOptions style = new JsonCodec.WriteOptions(" ", null, null);
    assertEquals(
        "[\n {\n  \"a\": {\n   \"x\": 1,\n   \"y\": 2\n  }\n }\n]",
        codec.write(List.of(Map.of("a", new Inner(1, 2))), style));
    assertEquals(
        "{\n \"leaves\": [],\n \"named\": {},\n \"trees\": [],\n \"bytes\": \"\"\n}",
        codec.write(new Tree(List.of(), Map.of(), List.of(), new byte[0]), style));
  }

  @Test
  void typesThatContainThemselvesAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> text(new Loop()));
    List<Object> list = new ArrayList<>();
    Optional<Object> optional = Optional.of(list);
    list.add(optional);
    assertThrows(IllegalArgumentException.class, () -> text(optional));
  }

  @Test
  void mapsAndListsThatContainThemselvesAreDetectedSoon() {
    for (int outer = 0; outer < 9; outer++) {
      for (int period = 1; period < 9; period++) {
        List<Object> first = new ArrayList<>();
        Object last = first;
        for (int i = 1; i < period; i++) {
          last = i % 2 == 0 ? new ArrayList<>(List.of(last)) : new HashMap<>(Map.of("a", last));
        }
        first.add(List.of("beside"));
        first.add(last);
        Object whole = last;
        for (int i = 0; i < outer; i++) {
          whole = List.of(whole);
        }
        Object value = whole;
        String message =
            assertThrows(IllegalArgumentException.class, () -> text(value)).getMessage();
        int level = Integer.parseInt(String.valueOf(message).replaceAll("\\D", ""));
        assertTrue(level <= 2 * (outer + period) + period + 2, message);
      }
    }
  }

  @Test
  void aValueThatOccursTwiceDoesNotContainItself() {
    List<Object> twice = List.of(List.of(1), Map.of());
    assertEquals("[[[1],{}],[[1],{}],[[[1],{}]]]", text(List.of(twice, twice, List.of(twice))));
  }

  @Test
  void buffersOutsideOfTheHeapAreWrittenAsBase64() {
    ByteBuffer direct = ByteBuffer.allocateDirect(4).put(1, new byte[] {1, 2, 3}).position(1);
    assertEquals("\"AQID\"", text(direct));
    assertEquals("\"AQID\"", text(ByteBuffer.wrap(new byte[] {1, 2, 3}).asReadOnlyBuffer()));
  }

  @Test
  void nestedValuesAreNotWrapped() {
    JsonMapper mapper = JsonMapper.builder().enable(SerializationFeature.WRAP_ROOT_VALUE).build();
    assertEquals(
        "[{\"x\":1,\"y\":2}]",
        JacksonCodec.of(mapper).write(List.of(new Inner(1, 2)), JsonCodec.WriteOptions.COMPACT));
  }

  @Test
  void stringsOfAnyLengthAreComplete() {
    for (int length = 2030; length < 2070; length++) {
      String text = "a".repeat(length) + "\u00e9\ud83d\ude00\"";
      assertEquals("[\"" + "a".repeat(length) + "\u00e9\ud83d\ude00\\\"\"]", text(List.of(text)));
    }
    String large = "\u20ac".repeat(100_000);
    assertTrue(text(List.of(large, large)).equals("[\"" + large + "\",\"" + large + "\"]"));
  }

  @Test
  void integersHaveAllTheirDigits() {
    List<Long> numbers = new ArrayList<>(List.of(0L, Long.MIN_VALUE, Long.MAX_VALUE));
    for (long power = 1; power < Long.MAX_VALUE / 10; power *= 10) {
      numbers.addAll(List.of(power, -power, power - 1, 1 - power, power + 1));
    }
    assertEquals(numbers.toString().replace(" ", ""), text(numbers));
  }

  private static Tree tree(SplittableRandom random, int depth) {
    List<Leaf> leaves = new ArrayList<>();
    Map<String, Object> named = new LinkedHashMap<>();
    List<Tree> trees = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      leaves.add(leaf(random));
      named.put(string(random), random.nextBoolean() ? leaf(random) : random.nextLong());
      if (depth > 0) {
        trees.add(tree(random, depth - 1));
      }
    }
    return new Tree(leaves, named, trees, new byte[random.nextInt(5)]);
  }

  private static Leaf leaf(SplittableRandom random) {
    double number = Double.longBitsToDouble(random.nextLong());
    float small = (float) random.nextDouble(-10, 10);
    long big = random.nextLong() >> random.nextInt(64);
    return new Leaf(string(random), number, small, big, random.nextBoolean(), null);
  }

  private static String string(SplittableRandom random) {
    char[] signs = new char[random.nextInt(8)];
    for (int i = 0; i < signs.length; i++) {
      signs[i] = (char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000);
    }
    return new String(signs);
  }

  private String text(Object value) {
    return codec.write(value, JsonCodec.WriteOptions.COMPACT);
  }
}
