package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/** Creates the entity tag of a body; the setting {@code etag} may hold one. */
@FunctionalInterface
public interface ETagFunction {

  /**
   * Creates the tag.
   *
   * @param body the body: a {@code String} or a {@code byte[]}, not to be changed
   * @param encoding {@code utf8} if the body is text, null if it is bytes
   * @return the value of the header {@code ETag}; null for none
   */
  @Nullable String tag(Object body, @Nullable String encoding);
}
