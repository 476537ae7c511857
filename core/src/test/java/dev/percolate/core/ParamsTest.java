package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParamsTest {

  private final Params params = new Params();

  @Test
  void namedAndNumberedParametersShareOneMapInOrder() {
    params.set("user", "ann");
    params.set("0", "a/b");
    assertEquals("ann", params.get("user"));
    assertEquals("a/b", params.get(0));
    assertEquals("a/b", params.get("0"));
    assertNull(params.get(1));
    assertEquals(List.of("user", "0"), List.copyOf(params.asMap().keySet()));
  }

  @Test
  void aCallbackMayPutAnyValueInPlace() {
    params.set("id", List.of(1, 2));
    assertEquals(List.of(1, 2), params.value("id"));
    assertEquals("[1, 2]", params.get("id"));
  }

  @Test
  void nullMakesAParameterAbsent() {
    params.set("id", "7");
    params.set("id", null);
    assertNull(params.get("id"));
    assertFalse(params.asMap().containsKey("id"));
  }
}
