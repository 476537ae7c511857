package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which values are visited. */
final class NestedValuesTest {

  /** A value with a property that iterates over itself. */
  public record Upload(Path file, List<Part> parts) {}

  /** A nested value. */
  public record Part(String name) {}

  private static List<String> visited(Object value) {
    List<String> visited = new ArrayList<>();
    NestedValues.visit(
        value,
        (one, way) -> visited.add(one.getClass().getSimpleName() + NestedValues.Way.steps(way)));
    return visited;
  }

  @Test
  void aPathIsAValueAndNotAnIterableOfItself() {
    Upload upload = new Upload(Path.of("a", "b"), List.of(new Part("one")));
    assertEquals(List.of("Upload[]", "Part[parts, 0]"), visited(upload));
    assertEquals(List.of("Part[key]"), visited(Map.of("key", new Part("one"))));
  }

  public record Account(
      String name, @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) Part secret) {}

  public record Tags(@JsonValue List<Part> all) {}

  @Test
  void componentsThatAreNotWrittenAreVisited() {
    assertEquals(List.of("Account[]", "Part[secret]"), visited(new Account("a", new Part("x"))));
    assertEquals(List.of("Tags[]", "Part[all, 0]"), visited(new Tags(List.of(new Part("x")))));
  }

  @Test
  void aValueThatContainsItselfIsRejected() {
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    assertThrows(IllegalStateException.class, () -> visited(endless));
  }
}
