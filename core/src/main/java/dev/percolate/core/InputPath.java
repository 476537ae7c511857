package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/**
 * The way to a value inside of records and lists.
 *
 * @param outer the way to what the value is in; null for a value outside of all
 * @param key its name, or its place in a list
 */
record InputPath(@Nullable InputPath outer, String key) {

  /** The way to the whole. */
  static final InputPath WHOLE = new InputPath(null, "");

  InputPath to(String inner) {
    return new InputPath(outer == null && key.isEmpty() ? null : this, inner);
  }

  /** Returns the name as forms have it: {@code lines[0][price]}. */
  @Override
  public String toString() {
    return outer == null ? key : outer + "[" + key + "]";
  }
}
