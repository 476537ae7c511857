package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/** Reads values of one type from the input of a client. Created once for each type. */
interface InputType {

  /** The result for an invalid value, after its fault was added. */
  Object FAULTY = new Object();

  /** Returns a description of valid values, such as {@code a UUID}. */
  String wanted();

  /** Returns the value to use if none was sent; null for none. */
  default @Nullable Object absent() {
    return null;
  }

  /**
   * Reads a value.
   *
   * @param sent a string, a file, or a list or map of these
   * @param at the path of the value
   * @param errors receives the faults
   * @return the value; null for none; {@link #FAULTY} if it is invalid
   */
  @Nullable Object read(Object sent, InputPath at, InputErrors errors);

  /** Adds the fault of an invalid value. */
  static Object faulty(InputType type, InputPath at, @Nullable String value, InputErrors errors) {
    errors.invalid(at.toString(), type.wanted(), value);
    return FAULTY;
  }

  /** Returns the first of several values, or the only value. */
  static @Nullable Object first(Object sent) {
    return sent instanceof java.util.List<?> list ? (list.isEmpty() ? null : list.get(0)) : sent;
  }
}
