package dev.percolate.middleware.socket;

import java.io.IOException;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;

/** Distinguishes failures of a handler from failures caused by a client that disconnected. */
public final class DisconnectCause {

  /** The maximum number of causes to check, since a chain of causes may be circular. */
  private static final int MOST_CAUSES = 10;

  private DisconnectCause() {}

  /**
   * Returns true if a disconnected client may have caused a failure, such as a failed write or an
   * interrupted wait.
   *
   * @param failure the exception that a handler threw after its client disconnected
   */
  public static boolean mayCause(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .anyMatch(
            one ->
                one instanceof IOException
                    || one instanceof InterruptedException
                    || one instanceof NoSuchElementException);
  }
}
