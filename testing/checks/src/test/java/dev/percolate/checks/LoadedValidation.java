package dev.percolate.checks;

import dev.percolate.core.Validation;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A validation that fails if a test requests it, and accepts every value otherwise. */
public final class LoadedValidation implements Validation {

  static volatile @Nullable Fault fault;

  /** Called by {@link java.util.ServiceLoader}. */
  public LoadedValidation() {}

  @Override
  public List<Violation> check(Object value, Supplier<Locale> locale) {
    Fault raised = fault;
    return raised == null ? List.of() : raised.raise();
  }
}
