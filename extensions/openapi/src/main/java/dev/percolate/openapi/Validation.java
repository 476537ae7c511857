package dev.percolate.openapi;

import java.util.List;
import java.util.Locale;

/**
 * Validates the constraints of values that have the correct form. Thread-safe.
 *
 * <p>It is found by {@link java.util.ServiceLoader}. If there is none, a Jakarta Validation
 * provider on the class path is used, such as Hibernate Validator.
 */
public interface Validation {

  /**
   * Validates a value and all objects in it, at any depth, whether or not they have {@code @Valid}:
   * the OpenAPI document contains the constraints of all of them.
   *
   * @param value the value
   * @param locale the preferred language of the client
   * @return all violations; empty if the value is valid
   */
  List<Violation> check(Object value, Locale locale);

  /**
   * A violated constraint.
   *
   * @param path the path from the value to the invalid one: Java property names as {@link String},
   *     list indexes as {@link Integer}
   * @param detail the message for the client: {@code must be positive}
   */
  record Violation(List<Object> path, String detail) {}
}
