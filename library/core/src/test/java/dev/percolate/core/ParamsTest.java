package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.HttpError;
import java.util.List;
import java.util.stream.IntStream;
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
  void aCallbackMaySetAnyValue() {
    params.set("id", List.of(1, 2));
    assertEquals(List.of(1, 2), params.value("id"));
    assertEquals("[1, 2]", params.get("id"));
  }

  @Test
  void nullRemovesAParameter() {
    params.set("id", "7");
    params.set("id", null);
    assertNull(params.get("id"));
    assertFalse(params.asMap().containsKey("id"));
  }

  @Test
  void theLastValueOfANameIsUsed() {
    params.set("id", "7");
    params.set("post", "1");
    params.set("id", "8");
    assertEquals("8", params.get("id"));
    assertEquals(List.of("id", "post"), List.copyOf(params.asMap().keySet()));
    params.set("id", "9");
    assertEquals("9", params.asMap().get("id"));
  }

  @Test
  void aRequiredNameThatThePathDoesNotHaveIsAnErrorOfTheApplication() {
    Params ofRoute = new Params(List.of("id", "page"));
    ofRoute.set("id", "7");
    assertEquals(
        "params().required(\"idd\", …): the route has no parameter :idd; it has :id, :page",
        assertThrows(IllegalStateException.class, () -> ofRoute.required("idd", Long.class))
            .getMessage());
    assertThrows(IllegalStateException.class, () -> ofRoute.get("idd", int.class));
    assertThrows(HttpError.class, () -> ofRoute.required("page", Long.class));
    assertThrows(HttpError.class, () -> ofRoute.required("0", String.class));
    assertNull(ofRoute.get("idd"));
    ofRoute.set("idd", "8");
    assertEquals(8L, ofRoute.required("idd", Long.class));
  }

  @Test
  void manyParametersKeepTheirOrder() {
    List<String> names = IntStream.range(0, 20).mapToObj(i -> "p" + i).toList();
    names.forEach(name -> params.set(name, name + "!"));
    names.forEach(name -> assertEquals(name + "!", params.get(name)));
    assertEquals(names, List.copyOf(params.asMap().keySet()));
  }

  @Test
  void theMapIsNotACopy() {
    params.set("id", "7");
    params.asMap().put("id", "8");
    params.asMap().put("post", "1");
    assertEquals("8", params.get("id"));
    assertEquals("1", params.get("post"));
    params.asMap().clear();
    assertNull(params.get("id"));
    assertEquals("{}", params.toString());
  }
}
