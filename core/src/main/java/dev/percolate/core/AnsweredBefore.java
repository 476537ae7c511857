package dev.percolate.core;

import org.jspecify.annotations.Nullable;

/** Says that an answer was refused, since there was one already. */
final class AnsweredBefore extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  AnsweredBefore(String message, @Nullable Throwable first) {
    super(message, first);
  }
}
