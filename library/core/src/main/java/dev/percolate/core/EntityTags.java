package dev.percolate.core;

import dev.percolate.http.ETag;
import org.jspecify.annotations.Nullable;

/** Creates the entity tags that the setting {@code etag} specifies. */
@FunctionalInterface
interface EntityTags {

  /**
   * Returns the entity tag of a body; null for none.
   *
   * @param bytes the body as sent
   * @param given the body as the application passed it: a string or bytes
   */
  @Nullable String tag(byte[] bytes, Object given);

  /**
   * Returns the function for a value of the setting.
   *
   * @param setting {@code weak}, {@code strong}, a boolean, or a function; null for no tags
   * @param md5 whether weak tags contain the MD5 digest of strong tags
   * @throws IllegalArgumentException for any other value
   */
  static EntityTags of(@Nullable Object setting, boolean md5) {
    if (setting instanceof ETagFunction function) {
      return (bytes, given) -> function.tag(given, given instanceof String ? "utf8" : null);
    }
    if (setting == null || setting.equals(false)) {
      return (bytes, given) -> null;
    }
    if (setting.equals(true) || setting.equals("weak")) {
      return md5
          ? (bytes, given) -> ETag.weaken(ETag.strong(bytes))
          : (bytes, given) -> ETag.weak(bytes);
    }
    if (setting.equals("strong")) {
      return (bytes, given) -> ETag.strong(bytes);
    }
    throw new IllegalArgumentException(
        "set(\"etag\", "
            + setting
            + "): must be \"weak\", \"strong\", true, false or an ETagFunction");
  }
}
