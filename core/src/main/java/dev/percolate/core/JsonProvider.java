package dev.percolate.core;

import dev.percolate.engine.Providers;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds the codec of this process when it is first needed, and keeps it. */
final class JsonProvider {

  // Not found while a class is initialized: each failure shall tell what is missing.
  private static volatile @Nullable JsonCodec codec;

  private JsonProvider() {}

  static JsonCodec codec() {
    JsonCodec known = codec;
    if (known == null) {
      known =
          Providers.one(JsonCodec.class, ServiceLoader.load(JsonCodec.class), "add percolate-json");
      codec = known;
    }
    return known;
  }
}
