package dev.percolate.openapi;

import dev.harrel.jsonschema.JsonNode;
import dev.harrel.jsonschema.JsonNodeFactory;
import dev.harrel.jsonschema.SimpleType;
import dev.percolate.core.JsonCodec;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Adapts plain JSON values to the external validator. */
record PlainNode(@Nullable Object value, String pointer) implements JsonNode {

  static final JsonNodeFactory FACTORY =
      new JsonNodeFactory() {
        @Override
        public JsonNode wrap(Object value) {
          return value instanceof JsonNode node ? node : new PlainNode(value, "");
        }

        @Override
        public JsonNode create(String text) {
          return new PlainNode(JsonCodec.find().read(text), "");
        }
      };

  @Override
  public String getJsonPointer() {
    return pointer;
  }

  @Override
  public SimpleType getNodeType() {
    if (value == null) {
      return SimpleType.NULL;
    }
    if (value instanceof Map) {
      return SimpleType.OBJECT;
    }
    if (value instanceof List) {
      return SimpleType.ARRAY;
    }
    if (value instanceof Number number) {
      return JsonType.is("integer", number) ? SimpleType.INTEGER : SimpleType.NUMBER;
    }
    return value instanceof Boolean ? SimpleType.BOOLEAN : SimpleType.STRING;
  }

  @Override
  public boolean asBoolean() {
    return Boolean.TRUE.equals(value);
  }

  @Override
  public String asString() {
    return String.valueOf(value);
  }

  @Override
  public BigInteger asInteger() {
    return asNumber().toBigIntegerExact();
  }

  @Override
  public BigDecimal asNumber() {
    return new BigDecimal(String.valueOf(value));
  }

  @Override
  public List<JsonNode> asArray() {
    List<JsonNode> items = new ArrayList<>();
    for (Object item : (List<?>) value) {
      items.add(new PlainNode(item, pointer + "/" + items.size()));
    }
    return items;
  }

  @Override
  public Map<String, JsonNode> asObject() {
    Map<String, JsonNode> entries = new LinkedHashMap<>();
    ((Map<?, ?>) value)
        .forEach(
            (name, entry) ->
                entries.put(
                    (String) name,
                    new PlainNode(
                        entry, pointer + "/" + JsonNode.encodeJsonPointer((String) name))));
    return entries;
  }
}
