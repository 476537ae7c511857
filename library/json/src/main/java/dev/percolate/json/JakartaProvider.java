package dev.percolate.json;

import dev.percolate.core.Validation;
import org.jspecify.annotations.Nullable;

/** Finds Jakarta Validation on first use, without loading its classes if they are absent. */
final class JakartaProvider {

  private static final @Nullable Validation FOUND = jakarta();

  private JakartaProvider() {}

  /** Returns the validation; null if there is no provider. */
  static @Nullable Validation get() {
    return FOUND;
  }

  private static @Nullable Validation jakarta() {
    try {
      Class.forName("jakarta.validation.Validation", false, JakartaProvider.class.getClassLoader());
      return JakartaValidation.create();
    } catch (ClassNotFoundException e) {
      return null;
    }
  }
}
