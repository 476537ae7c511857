package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/** Creates the entity tag of a body. The setting {@code etag} can hold such a function. */
@FunctionalInterface
public interface ETagFunction {

  /**
   * Creates the entity tag.
   *
   * @param body the body: a {@code String}, or a {@code byte[]} that must not be changed
   * @param encoding {@code utf8} if the body is a string, null if it is bytes
   * @return the value of the {@code ETag} header; null for none
   */
  @Nullable String tag(Object body, @Nullable String encoding);
}
