package dev.percolate.core;

import dev.percolate.http.ETag;
import dev.percolate.http.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * The entity tags that the setting {@code etag} names; of the bytes that are sent, so of text too.
 */
enum StandardTag implements ETagFunction {
  NONE,
  WEAK,
  STRONG;

  @Override
  public @Nullable String tag(Object body, @Nullable String encoding) {
    byte[] bytes = body instanceof byte[] given ? given : Utf8.bytes((String) body);
    return switch (this) {
      case NONE -> null;
      case WEAK -> ETag.weak(bytes);
      case STRONG -> ETag.strong(bytes);
    };
  }
}
