package dev.percolate.framework;

import org.jspecify.annotations.Nullable;

/** Creates parameter callbacks from the values passed to {@link App#param(String, Object)}. */
@FunctionalInterface
public interface ParamFactory {

  /**
   * Creates a callback from a value.
   *
   * @param name the name of the parameter, without its colon
   * @param value the value passed to {@code param}
   * @return the replacement for the value; null, false, zero or an empty string to keep it. The
   *     last replacement must be a {@link ParamCallback} or a {@link java.util.regex.Pattern}
   */
  @Nullable Object apply(String name, @Nullable Object value);
}
