package dev.percolate.middleware;

import java.io.IOException;
import java.util.NoSuchElementException;

/** Tells failures of a handler from those that the end of its client causes in it. */
final class ClientEnd {

  /** How many causes are looked at; a chain of causes may be a circle. */
  private static final int MOST_CAUSES = 10;

  private ClientEnd() {}

  /**
   * Returns whether a failure may come of the end of a client: of writing to it, of waiting for it.
   *
   * @param failure what a handler has thrown after its client has gone
   */
  static boolean mayCause(Throwable failure) {
    Throwable one = failure;
    for (int i = 0; one != null && i < MOST_CAUSES; i++) {
      if (one instanceof IOException
          || one instanceof InterruptedException
          || one instanceof NoSuchElementException) {
        return true;
      }
      one = one.getCause();
    }
    return false;
  }
}
