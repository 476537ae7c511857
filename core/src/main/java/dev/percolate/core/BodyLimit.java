package dev.percolate.core;

import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Counts the bytes of a body, and refuses those beyond a limit. */
final class BodyLimit {

  private final long limit;
  private long received;

  BodyLimit(long limit) {
    this.limit = limit;
  }

  void count(@Nullable ByteBuffer chunk) {
    received += chunk == null ? 0 : chunk.remaining();
    if (received > limit) {
      throw new HttpError(413, "request entity too large", "entity.too.large", null)
          .with("limit", limit)
          .with("received", received);
    }
  }
}
