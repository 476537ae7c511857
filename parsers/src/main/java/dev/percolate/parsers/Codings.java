package dev.percolate.parsers;

import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The encodings that other modules add, by their names. */
final class Codings {

  private static final Map<String, ContentCoding> FOUND = found();

  private Codings() {}

  static @Nullable ContentCoding find(String name) {
    return FOUND.get(name);
  }

  private static Map<String, ContentCoding> found() {
    Map<String, ContentCoding> found = new HashMap<>();
    for (ContentCoding coding : ServiceLoader.load(ContentCoding.class)) {
      ContentCoding other = found.put(coding.name(), coding);
      if (other != null) {
        throw new IllegalStateException(
            "more than one ContentCoding for "
                + coding.name()
                + ": "
                + other.getClass().getName()
                + ", "
                + coding.getClass().getName()
                + "; keep one");
      }
    }
    return found;
  }
}
