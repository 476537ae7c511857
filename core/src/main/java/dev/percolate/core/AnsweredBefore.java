package dev.percolate.core;

import dev.percolate.engine.CallSite;
import org.jspecify.annotations.Nullable;

/** Says that an answer was refused, since there was one already. */
final class AnsweredBefore extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private AnsweredBefore(String message, @Nullable Throwable first) {
    super(message, first);
  }

  /**
   * Creates the error of an answer that is given now.
   *
   * @param first thrown nowhere, created where the first answer was given; null if that is unknown
   */
  static AnsweredBefore since(@Nullable Throwable first) {
    String places =
        first == null
            ? ""
            : ", " + CallSite.of(first) + "; now again " + CallSite.of(new Throwable());
    return new AnsweredBefore("answered before" + places, first);
  }
}
