package dev.percolate.core;

import dev.percolate.engine.CallSite;
import org.jspecify.annotations.Nullable;

/** The error of a second response to a request. */
final class DuplicateResponseException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  private DuplicateResponseException(String message, @Nullable Throwable first) {
    super(message, first);
  }

  /**
   * Creates the error of a second response.
   *
   * @param first a throwable created where the first response was sent; null if unknown
   */
  static DuplicateResponseException since(@Nullable Throwable first) {
    String places =
        first == null
            ? ""
            : " " + CallSite.of(first) + "; sent again " + CallSite.of(new Throwable());
    return new DuplicateResponseException("response already sent" + places, first);
  }
}
