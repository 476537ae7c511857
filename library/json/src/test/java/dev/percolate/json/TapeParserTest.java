package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.JsonCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.json.JsonMapper;

/** The parser of tapes returns the same tokens as Jackson's parser. */
final class TapeParserTest {

  private static final JsonMapper MAPPER = new JsonMapper();

  private static TapeParser parser(String json, JsonMapper mapper) {
    byte[] utf8 = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return new TapeParser(
        JsonScanner.scan(utf8, JsonCodec.ReadOptions.DEFAULT), new TapeContext(mapper));
  }

  private static JsonParser number(String json) {
    JsonParser parser = parser(json, MAPPER);
    assertNotNull(parser.nextToken());
    return parser;
  }

  /** Lists the tokens of a parser. */
  private static List<String> tokens(JsonParser parser) {
    List<String> tokens = new ArrayList<>();
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      tokens.add(
          token
              + " "
              + parser.getString()
              + " "
              + parser.currentName()
              + " "
              + parser.streamReadContext().pathAsPointer()
              + " "
              + (token.isNumeric() ? parser.getNumberType() + " " + parser.getNumberValue() : ""));
    }
    return tokens;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        " [ ] ",
        "'text'",
        "null",
        "7",
        "{'a':1,'b':[true,false,null,{'c':{}}],'':'x','d':-12.5,'e':1.5e-7}",
        "[[],[[]],{'a':[]},'\\u00e9\\n\\\\','\\ud83d\\ude00',2147483647,2147483648]",
        "[-2147483648,9223372036854775807,9223372036854775808,-9223372036854775808,123456789012345678901234567890]",
        "{'a':{'b':{'c':[1,2,{'d':'\u4e2d'}]}},'a':2}",
      })
  void tokensAreThoseOfJacksonsParser(String json) {
    try (JsonParser jackson = MAPPER.createParser(json.replace('\'', '"'))) {
      assertEquals(tokens(jackson), tokens(parser(json, MAPPER)));
    }
  }

  @Test
  void childrenAreSkipped() {
    JsonParser parser = parser("{'a':[1,{'b':2}],'c':3}", MAPPER);
    assertEquals(JsonToken.START_OBJECT, parser.nextToken());
    assertEquals("a", parser.nextName());
    assertEquals(JsonToken.START_ARRAY, parser.nextToken());
    assertEquals(JsonToken.END_ARRAY, parser.skipChildren().currentToken());
    assertEquals("c", parser.nextName());
    assertEquals(JsonToken.VALUE_NUMBER_INT, parser.nextToken());
    assertEquals(JsonToken.END_OBJECT, parser.nextToken());
    assertEquals(null, parser.nextToken());
  }

  @Test
  void integersMayHaveAFraction() {
    assertEquals(1, number("1.0").getIntValue());
    assertEquals(JsonParser.NumberType.INT, number("-20.000").getNumberType());
    assertEquals(10_000_000_000_000_000L, number("1e+16").getLongValue());
    assertEquals(0, number("0e999999999").getIntValue());
    assertEquals(
        new BigInteger("9".repeat(30)), number("9".repeat(30) + ".0").getBigIntegerValue());
    assertEquals(new BigDecimal("1.50"), number("1.50").getDecimalValue());
    assertEquals(1.5, number("1.5").getDoubleValue());
    assertEquals(JsonParser.NumberType.DOUBLE, number("1e-3").getNumberType());
    assertEquals(JsonParser.NumberType.DOUBLE, number("1e999").getNumberType());
    assertEquals(JsonParser.NumberType.DOUBLE, number("1e99999999999").getNumberType());
  }

  @Test
  void numbersOutOfRangeAreRejected() {
    assertThrows(InputCoercionException.class, () -> number("2147483648").getIntValue());
    assertThrows(InputCoercionException.class, () -> number("1e30").getLongValue());
    assertThrows(InputCoercionException.class, () -> number("9223372036854775808").getLongValue());
    assertThrows(InputCoercionException.class, () -> number("'1'").getIntValue());
    assertThrows(InputCoercionException.class, () -> number("true").getDoubleValue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[[[[1]]]]]",
        "{'a name that is long':1}",
        "['a text that is longer']",
        "[12345678901234567890]",
        "[1.23456789012345678901]",
        "[1,2,3,4,5,6,7,8,9,10,11,12,13]",
      })
  void limitsOfTheMapperApply(String json) {
    StreamReadConstraints narrow =
        StreamReadConstraints.builder()
            .maxNestingDepth(4)
            .maxNameLength(8)
            .maxStringLength(12)
            .maxNumberLength(12)
            .maxTokenCount(14)
            .build();
    JsonMapper mapper =
        JsonMapper.builder(JsonFactory.builder().streamReadConstraints(narrow).build()).build();
    assertThrows(
        StreamConstraintsException.class,
        () -> mapper.readValue(parser(json, mapper), mapper.constructType(JsonNode.class)));
  }

  @Test
  void duplicateNamesAreRejectedIfTheMapperRejectsThem() {
    JsonMapper mapper =
        JsonMapper.builder(
                JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
            .build();
    assertThrows(JacksonException.class, () -> tokens(parser("{'a':1,'a':2}", mapper)));
  }

  /** Reads its parts with the parser. */
  static final class Half extends ValueDeserializer<Halves> {

    @Override
    public Halves deserialize(JsonParser parser, DeserializationContext context) {
      assertEquals("first", parser.nextName());
      parser.nextToken();
      JsonNode first = parser.readValueAsTree();
      assertEquals("second", parser.nextName());
      parser.nextToken();
      Map<?, ?> second = parser.readValueAs(Map.class);
      parser.nextToken();
      return new Halves(first, second);
    }
  }

  @JsonDeserialize(using = Half.class)
  record Halves(JsonNode first, Map<?, ?> second) {}

  @Test
  void deserializersOfApplicationsReadPartsWithTheParser() {
    Object read =
        MAPPER.readValue(
            parser("{'first':{'a':[1]},'second':{'b':2}}", MAPPER),
            MAPPER.constructType(Halves.class));
    assertEquals("Halves[first={\"a\":[1]}, second={b=2}]", String.valueOf(read));
  }

  @Test
  void positionsAreCountedInCharacters() {
    JsonParser parser = parser("{'\u4e2d\u00e9':\n  'x'}", MAPPER);
    for (int i = 0; i < 3; i++) {
      assertNotNull(parser.nextToken());
    }
    assertEquals(2, parser.currentTokenLocation().getLineNr());
    assertEquals(3, parser.currentTokenLocation().getColumnNr());
    assertInstanceOf(JsonTape.class, parser.streamReadInputSource());
  }
}
