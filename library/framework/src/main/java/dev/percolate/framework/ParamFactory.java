package dev.percolate.framework;

import org.jspecify.annotations.Nullable;

/** Creates parameter callbacks of whatever {@link App#param(String, Object)} is given. */
@FunctionalInterface
public interface ParamFactory {

  /**
   * Creates a callback of a value.
   *
   * @param name the name of the parameter, without colon
   * @param value what {@code param} was given
   * @return what stands in its place, in the end a {@link ParamCallback}; null, false, zero or an
   *     empty text to leave the value as it is
   */
  @Nullable Object apply(String name, @Nullable Object value);
}
