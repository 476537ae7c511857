package dev.percolate.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.JsonCodec;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OldAnnotationsTest {

  private static final String OURS = "dev.percolate.json.";
  private static final String ANNOTATIONS = "com.fasterxml.jackson.annotation.";

  public record Order(String customer) {}

  /** Loads new copies of the codec and Jackson, with annotations that lack the newest one. */
  private static final class OldLoader extends ClassLoader {

    OldLoader() {
      super(JacksonCodec.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(ANNOTATIONS + "JsonSerializeAs")) {
        throw new ClassNotFoundException(name);
      }
      boolean anew =
          name.startsWith("tools.jackson.")
              || name.startsWith(ANNOTATIONS)
              || (name.startsWith(OURS) && !name.startsWith(OldAnnotationsTest.class.getName()));
      if (!anew) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in = Objects.requireNonNull(getParent()).getResourceAsStream(file)) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  @Test
  void annotationsThatAreTooOldAreReported() throws Exception {
    JsonCodec codec = codec();
    for (int i = 0; i < 2; i++) { // the second time, the JVM knows that the classes are broken
      assertNamed(
          assertThrows(
              IllegalStateException.class, () -> codec.read("{\"customer\":\"x\"}", Order.class)));
      assertNamed(
          assertThrows(
              IllegalStateException.class,
              () -> codec.write(new Order("x"), JsonCodec.WriteOptions.COMPACT)));
    }
  }

  @Test
  void plainValuesNeedNoAnnotations() throws Exception {
    JsonCodec codec = codec();
    assertEquals(Map.of("a", 1), codec.read("{\"a\":1}"));
    assertEquals("{\"a\":1}", codec.write(Map.of("a", 1), JsonCodec.WriteOptions.COMPACT));
  }

  @Test
  void otherLinkageErrorsAreUnchanged() {
    LinkageError error = new NoClassDefFoundError("com/shop/Order");
    assertEquals(error, assertThrows(LinkageError.class, () -> JacksonCodec.explained(error)));
  }

  private static JsonCodec codec() throws Exception {
    Class<?> codec = new OldLoader().loadClass(JacksonCodec.class.getName());
    return (JsonCodec) codec.getConstructor().newInstance();
  }

  private static void assertNamed(Exception error) {
    assertTrue(
        String.valueOf(error.getMessage()).contains("jackson-annotations 2.21 or newer"),
        String.valueOf(error.getMessage()));
    assertInstanceOf(LinkageError.class, error.getCause());
  }
}
