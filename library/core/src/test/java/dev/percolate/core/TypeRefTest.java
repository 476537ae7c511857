package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TypeRefTest {

  private static class Rows<T> extends TypeRef<List<T>> {}

  private static final class Names extends Rows<String> {}

  @Test
  void theTypeIsKeptWithItsArguments() {
    TypeRef<Map<String, List<Integer>>> ref = new TypeRef<>() {};
    assertEquals(
        "java.util.Map<java.lang.String, java.util.List<java.lang.Integer>>",
        ref.type().getTypeName());
    assertEquals(Map.class, ref.rawType());
  }

  @Test
  void aPlainClassIsItsOwnRawType() {
    TypeRef<String> ref = new TypeRef<>() {};
    assertEquals(String.class, ref.type());
    assertEquals(String.class, ref.rawType());
  }

  @Test
  void theClassOfGenericArraysIsNotChecked() {
    assertEquals(Object.class, new TypeRef<List<String>[]>() {}.rawType());
  }

  @Test
  @SuppressWarnings("rawtypes") // the mistake under test
  void aSubclassWithoutATypeArgumentIsRejected() {
    assertThrows(IllegalArgumentException.class, () -> new TypeRef() {}.type());
  }

  @Test
  void anIndirectSubclassIsRejected() {
    assertThrows(IllegalArgumentException.class, Names::new);
  }
}
