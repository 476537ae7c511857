package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Checks the constraints of values that were read from the input of a client.
 *
 * @param validation checks a value
 * @param language returns the language for messages
 * @param source the kind of input
 */
record ConstraintCheck(Validation validation, Supplier<Locale> language, InputSource source) {

  /** The maximum number of reported violations. */
  private static final int MOST = 50;

  /**
   * Checks a value.
   *
   * @param value the value
   * @param name returns the name or pointer of a part of the value; see {@link
   *     Validation.Violation#path}
   * @throws HttpError 422 {@code entity.invalid} if constraints are violated
   */
  void check(Object value, Function<List<Object>, String> name) {
    List<Validation.Violation> violations = validation.check(value, language);
    if (!violations.isEmpty()) {
      throw InputError.error(
          422,
          "entity.invalid",
          violations.stream()
              .limit(MOST)
              .map(one -> error(name.apply(one.path()), one.detail()))
              .sorted(Comparator.comparing(InputError::name))
              .toList());
    }
  }

  private InputError error(String name, String detail) {
    return new InputError(source, name, InputError.CONSTRAINT, detail);
  }
}
