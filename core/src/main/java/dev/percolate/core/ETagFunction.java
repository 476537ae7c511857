package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/** Makes the entity tag of a body; the setting {@code etag} holds one, or names one. */
@FunctionalInterface
public interface ETagFunction {

  /**
   * Makes the tag.
   *
   * @param body the body: a {@code String} or a {@code byte[]}, not to be changed
   * @param encoding {@code utf8} if the body is text, null if it is bytes
   * @return the value of the header {@code ETag}; null for none
   */
  @Nullable String tag(Object body, @Nullable String encoding);

  /**
   * Gives the function that a value of the setting stands for.
   *
   * @param setting {@code weak}, {@code strong}, a boolean, or a function; null stands for none
   * @throws IllegalArgumentException for any other value
   */
  static ETagFunction of(@Nullable Object setting) {
    if (setting instanceof ETagFunction function) {
      return function;
    }
    if (setting == null || setting.equals(false)) {
      return StandardTag.NONE;
    }
    if (setting.equals(true) || setting.equals("weak")) {
      return StandardTag.WEAK;
    }
    if (setting.equals("strong")) {
      return StandardTag.STRONG;
    }
    throw new IllegalArgumentException(
        "set(\"etag\", " + setting + "): neither weak, strong, true, false nor a function");
  }
}
