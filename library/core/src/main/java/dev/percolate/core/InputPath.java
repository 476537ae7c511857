package dev.percolate.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The path of a value in nested records and lists.
 *
 * @param outer the path of the enclosing value; null if there is none
 * @param key the name of the value, or its index in a list
 */
record InputPath(@Nullable InputPath outer, String key) {

  /** The path of the whole input. */
  static final InputPath WHOLE = new InputPath(null, "");

  /** Returns the path with the given names and indexes. */
  static InputPath of(List<Object> path) {
    InputPath at = WHOLE;
    for (Object step : path) {
      at = at.to(step.toString());
    }
    return at;
  }

  InputPath to(String inner) {
    return new InputPath(outer == null && key.isEmpty() ? null : this, inner);
  }

  /** Returns the name as in forms: {@code lines[0][price]}. */
  @Override
  public String toString() {
    return outer == null ? key : outer + "[" + key + "]";
  }
}
