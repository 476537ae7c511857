package dev.percolate.redis;

import io.lettuce.core.RedisCommandExecutionException;
import java.util.concurrent.CompletionException;

/** Translates failures of Lettuce. */
final class LettuceFailure {

  private LettuceFailure() {}

  /** Returns the cause of a failure: a {@link RedisException} if it was an error reply. */
  static Throwable cause(Throwable error) {
    Throwable cause =
        error instanceof CompletionException e && e.getCause() != null ? e.getCause() : error;
    return cause instanceof RedisCommandExecutionException
        ? new RedisException(String.valueOf(cause.getMessage()))
        : cause;
  }
}
