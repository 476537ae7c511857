package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/** Reads values of one type from what a client has sent; made once for a type. */
interface InputType {

  /** In the place of a value that is faulty; the fault has been noted. */
  Object FAULTY = new Object();

  /** Returns what is wanted, such as {@code a UUID}. */
  String wanted();

  /** Returns what a value is that has not been sent; null if there is nothing. */
  default @Nullable Object absent() {
    return null;
  }

  /**
   * Reads a value.
   *
   * @param sent a text, a file, or a list or map of these
   * @param at where it stands
   * @param faults gets what does not fit
   * @return the value; null if there is none; {@link #FAULTY} if it does not fit
   */
  @Nullable Object read(Object sent, InputPath at, InputFaults faults);

  /** Notes that a value does not fit. */
  static Object faulty(InputType type, InputPath at, @Nullable String value, InputFaults faults) {
    faults.invalid(at.toString(), type.wanted(), value);
    return FAULTY;
  }

  /** Returns the first of several values; the only one if there is one. */
  static @Nullable Object first(Object sent) {
    return sent instanceof java.util.List<?> list ? (list.isEmpty() ? null : list.get(0)) : sent;
  }
}
