package dev.percolate.core;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Validates the constraints of values that were read from the input of clients, such as
 * {@code @NotBlank}. Thread-safe.
 *
 * <p>{@link Request#body(Class)}, {@link Request#form(Class)}, {@link Request#query(Class)} and
 * {@link Request#params(Class)} call it for each value that they read. A violated constraint is an
 * {@link dev.percolate.http.HttpError} 422 of type {@code entity.invalid}, with an {@link
 * InputError} for each violation.
 *
 * <p>{@link Settings#VALIDATION} sets the validation of an application. By default, it is found by
 * {@link java.util.ServiceLoader}; if there is none, the JSON codec supplies one ({@link
 * JsonCodec#validation}), which uses a Jakarta Validation provider on the class path, such as
 * Hibernate Validator.
 */
@FunctionalInterface
public interface Validation {

  /**
   * Validates a value and all objects in it, at any depth, whether or not they have {@code @Valid}.
   *
   * @param value the value
   * @param locale returns the preferred language of the client, for messages
   * @return the violations; empty if the value is valid. Clients get 50 of them at most
   */
  List<Violation> check(Object value, Supplier<Locale> locale);

  /**
   * A violated constraint.
   *
   * @param path the path from the value to the invalid one: Java property names and keys as {@link
   *     String}, list indexes as {@link Integer}
   * @param detail the message for the client: {@code must be positive}
   */
  record Violation(List<Object> path, String detail) {}
}
