package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.JsonDocument;
import dev.percolate.core.TypeRef;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.AnnotatedClass;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** Tests pointers to parts of values. */
final class JavaPropertiesTest {

  record Line(@JsonProperty("unit-price") int unitPrice) {}

  record Order(
      List<Line> allLines, Optional<Line> firstLine, Map<String, Line> byName, Object other) {}

  record Node(@JsonProperty("node-name") String name, @Nullable Node next) {}

  /** Counts how often properties of classes are collected. */
  private static final class Counting extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    private final AtomicInteger count = new AtomicInteger();

    @Override
    public @Nullable Object findNamingStrategy(MapperConfig<?> config, AnnotatedClass type) {
      count.incrementAndGet();
      return super.findNamingStrategy(config, type);
    }
  }

  private static final List<Object> LINE = List.of("allLines", 2, "unitPrice");

  private static String pointer(JacksonCodec codec, Type type, List<Object> path) {
    JsonDocument document = codec.parse("{}", JsonCodec.ReadOptions.DEFAULT);
    return document.pointer(type, path);
  }

  @Test
  void pointersHaveTheNamesOfTheJson() {
    JacksonCodec codec = new JacksonCodec();
    assertEquals("/allLines/2/unit-price", pointer(codec, Order.class, LINE));
    assertEquals(
        "/firstLine/unit-price", pointer(codec, Order.class, List.of("firstLine", "unitPrice")));
    assertEquals(
        "/byName/unitPrice/unit-price",
        pointer(codec, Order.class, List.of("byName", "unitPrice", "unitPrice")));
    assertEquals("/other/x~1y/0", pointer(codec, Order.class, List.of("other", "x/y", 0)));
    assertEquals("/none", pointer(codec, Order.class, List.of("none")));
    assertEquals("", pointer(codec, Order.class, List.of()));
  }

  @Test
  void theyFollowTheNamingStrategyOfTheMapper() {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    JacksonCodec codec = JacksonCodec.of(mapper);
    assertEquals("/all_lines/2/unit-price", pointer(codec, Order.class, LINE));
    Type orders = new TypeRef<List<Optional<Order>>>() {}.type();
    assertEquals("/0/by_name", pointer(codec, orders, List.of(0, "byName")));
  }

  sealed interface Shape permits Circle {}

  record Circle(@JsonProperty("r") double radius) implements Shape {}

  record Size(int width) {}

  record Email(@JsonValue String text) {}

  record Parcel(Shape shape, @JsonUnwrapped(prefix = "size_") Size size, Email email) {}

  @Test
  void pointersFollowSubtypesUnwrappedPropertiesAndValues() {
    JacksonCodec codec = new JacksonCodec();
    assertEquals("/shape/r", pointer(codec, Parcel.class, List.of("shape", "radius")));
    assertEquals("/size_width", pointer(codec, Parcel.class, List.of("size", "width")));
    assertEquals("/email", pointer(codec, Parcel.class, List.of("email", "text")));
    assertEquals("", pointer(codec, Email.class, List.of("text")));
  }

  @Test
  void eachTypeIsIntrospectedOnceHoweverLongThePaths() {
    Counting counting = new Counting();
    JacksonCodec codec =
        JacksonCodec.of(JsonMapper.builder().annotationIntrospector(counting).build());
    assertEquals("/node-name", pointer(codec, Node.class, List.of("name")));
    int once = counting.count.get();
    assertTrue(once > 0);
    List<Object> path = new ArrayList<>(Collections.nCopies(250, "next"));
    path.add("name");
    for (int i = 0; i < 50; i++) {
      assertEquals("/next".repeat(250) + "/node-name", pointer(codec, Node.class, path));
    }
    assertEquals(once, counting.count.get());
    codec.clearCaches();
    assertEquals("/node-name", pointer(codec, Node.class, List.of("name")));
    assertEquals(2 * once, counting.count.get());
  }
}
