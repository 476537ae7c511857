package dev.percolate.api;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Holds the validation of this process, once it is needed. */
final class FoundValidation {

  private static final @Nullable Validation FOUND =
      ServiceLoader.load(Validation.class).findFirst().orElseGet(FoundValidation::jakarta);

  private FoundValidation() {}

  /** Returns it; null if there is none. */
  static @Nullable Validation get() {
    return FOUND;
  }

  /** Finds it now: a library takes a second or more to start, for which no request should wait. */
  static void prepare() {
    Validation ignored = FOUND;
  }

  private static @Nullable Validation jakarta() {
    try {
      Class.forName("jakarta.validation.Validation", false, FoundValidation.class.getClassLoader());
      return JakartaValidation.create();
    } catch (ClassNotFoundException e) {
      return null;
    }
  }
}
