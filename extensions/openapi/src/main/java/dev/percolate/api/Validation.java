package dev.percolate.api;

import java.util.List;
import java.util.Locale;

/**
 * Checks the constraints of values that have the right form; found by {@link
 * java.util.ServiceLoader}, else Jakarta Validation is taken where a provider of it is on the class
 * path, such as Hibernate Validator. It is shared by all threads.
 */
public interface Validation {

  /**
   * Checks a value and all objects in it, at any depth, whether or not they have {@code @Valid}:
   * the document of an API names the limits of all.
   *
   * @param value the value
   * @param locale the language in which the client wants to be told
   * @return all that is wrong; empty if nothing is
   */
  List<Violation> check(Object value, Locale locale);

  /**
   * One constraint that does not hold.
   *
   * @param path the way from the value to what is wrong: names of properties as {@link String}, as
   *     Java has them, and indices of lists as {@link Integer}
   * @param detail what is wrong, for the client: {@code must be positive}
   */
  record Violation(List<Object> path, String detail) {}
}
