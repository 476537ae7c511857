package dev.percolate.core;

/**
 * An exchange that receives complaints about mistakes of the application. The exchanges of the
 * testkit implement it.
 *
 * @see RequestControl#complain
 */
@FunctionalInterface
public interface ComplaintListener {

  /**
   * Receives a complaint, on any thread.
   *
   * @param complaint a description of the mistake, for developers
   */
  void complained(String complaint);
}
