package dev.percolate.core;

/**
 * An exchange that receives warnings about mistakes of the application. The exchanges of the
 * testkit implement it.
 *
 * @see RequestControl#warn
 */
@FunctionalInterface
public interface WarningListener {

  /**
   * Receives a warning, on any thread.
   *
   * @param warning a description of the mistake, for developers
   */
  void onWarning(String warning);
}
