package dev.percolate.core;

import dev.percolate.engine.Providers;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Holds the validation of this process after the first lookup. */
final class FoundValidation {

  // Not looked up in a class initializer, so that each failure names its reason.
  private static volatile boolean searched;
  private static volatile @Nullable Validation found;

  private FoundValidation() {}

  /** Returns the validation; null if there is none. */
  static @Nullable Validation get() {
    if (!searched) {
      found = search();
      searched = true;
    }
    return found;
  }

  private static @Nullable Validation search() {
    Validation own = Providers.find(Validation.class, ServiceLoader.load(Validation.class));
    if (own != null) {
      return own;
    }
    for (JsonCodec codec : Providers.all(ServiceLoader.load(JsonCodec.class))) {
      Validation supplied = codec.validation();
      if (supplied != null) {
        return supplied;
      }
    }
    return null;
  }
}
