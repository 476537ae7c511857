package dev.percolate.core;

import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds what must be there exactly once on the class path or module path. */
final class Providers {

  // Not found while a class is initialized: each failure shall tell what is missing.
  private static volatile @Nullable JsonCodec codec;

  private Providers() {}

  /** Finds the codec when it is first needed. */
  static JsonCodec codec() {
    JsonCodec known = codec;
    if (known == null) {
      known = one(JsonCodec.class, "add percolate-json");
      codec = known;
    }
    return known;
  }

  static <T> T one(Class<T> type, String advice) {
    List<T> found = ServiceLoader.load(type).stream().map(ServiceLoader.Provider::get).toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("no " + type.getSimpleName() + " found: " + advice);
    }
    if (found.size() > 1) {
      List<String> names = found.stream().map(one -> one.getClass().getName()).toList();
      throw new IllegalStateException(
          "more than one " + type.getSimpleName() + " found: " + names + "; keep one");
    }
    return found.get(0);
  }
}
