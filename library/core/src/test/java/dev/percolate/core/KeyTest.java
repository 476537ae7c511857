package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeyTest {

  private final Request req = new FakeExchange().request();

  @Test
  void keysWithTheSameNameAreEqualForAnyType() {
    assertEquals(Key.of("user", String.class), Key.of("user", Integer.class, 1));
    assertEquals(
        Key.of("user", String.class).hashCode(), Key.of("user", Integer.class, 1).hashCode());
    assertNotEquals(Key.of("user", String.class), Key.of("User", String.class));
  }

  @Test
  void aKeyOfAGenericTypeChecksOnlyTheClass() {
    Key<List<String>> names = Key.of("names", new TypeRef<List<String>>() {});
    assertEquals(List.of("a"), names.cast(List.of("a")));
    String message =
        assertThrows(IllegalArgumentException.class, () -> names.cast("a, b")).getMessage();
    assertEquals("\"names\": a, b is not of type java.util.List", message);
  }

  @Test
  void attributesOfARequestAreFoundByAnEqualKey() {
    req.attr(Key.of("user", String.class), "ann");
    assertEquals("ann", req.attr(Key.of("user", String.class)));
    assertThrows(
        IllegalArgumentException.class, () -> req.attrOrNull(Key.of("user", Integer.class)));
  }

  @Test
  void anAbsentAttributeIsItsFallbackOrNamedInTheError() {
    assertEquals(3, req.attr(Key.of("tries", Integer.class, 3)));
    assertNull(req.attrOrNull(Key.of("user", String.class)));
    String message =
        assertThrows(IllegalStateException.class, () -> req.attr(Key.of("user", String.class)))
            .getMessage();
    assertTrue(message.contains("\"user\""), message);
  }

  @Test
  void theErrorOfAnAbsentAttributeContainsTheCodeThatProvidesIt() {
    Key<String> user = Key.of("user", String.class).providedBy("app.use(new Login())");
    assertEquals(
        "No user on this request. Add app.use(new Login()) before this handler.",
        assertThrows(IllegalStateException.class, () -> req.attr(user)).getMessage());
    assertEquals(3, req.attr(Key.of("tries", Integer.class, 3).providedBy("app.use(counter)")));
  }
}
