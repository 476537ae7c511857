package dev.percolate.openapi;

import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Finds the validation of this process on first use. */
final class FoundValidation {

  private static final @Nullable Validation FOUND =
      ServiceLoader.load(Validation.class).findFirst().orElseGet(FoundValidation::jakarta);

  private FoundValidation() {}

  /** Returns the validation; null if there is none. */
  static @Nullable Validation get() {
    return FOUND;
  }

  /**
   * Finds the validation now. A library takes a second or more to start, and no request should wait
   * for it.
   */
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
