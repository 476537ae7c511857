package dev.percolate.core;

import dev.percolate.http.ETag;
import org.jspecify.annotations.Nullable;

/** Sets the entity tags of bodies that the setting {@code etag} asks for. */
@FunctionalInterface
interface EntityTags {

  /**
   * Returns the tag of a body; null for none.
   *
   * @param bytes the body as it is sent
   * @param given the same as the application gave it: text or bytes
   */
  @Nullable String tag(byte[] bytes, Object given);

  /**
   * Returns what a value of the setting stands for.
   *
   * @param setting {@code weak}, {@code strong}, a boolean, or a function; null stands for none
   * @throws IllegalArgumentException for any other value
   */
  static EntityTags of(@Nullable Object setting) {
    if (setting instanceof ETagFunction function) {
      return (bytes, given) -> function.tag(given, given instanceof String ? "utf8" : null);
    }
    if (setting == null || setting.equals(false)) {
      return (bytes, given) -> null;
    }
    if (setting.equals(true) || setting.equals("weak")) {
      return (bytes, given) -> ETag.weak(bytes);
    }
    if (setting.equals("strong")) {
      return (bytes, given) -> ETag.strong(bytes);
    }
    throw new IllegalArgumentException(
        "set(\"etag\", " + setting + "): neither weak, strong, true, false nor a function");
  }
}
