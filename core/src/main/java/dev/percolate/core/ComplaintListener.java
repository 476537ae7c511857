package dev.percolate.core;

/**
 * An exchange that wants to know of the application's own faults; those of the testkit do.
 *
 * @see Request#complain
 */
@FunctionalInterface
public interface ComplaintListener {

  /**
   * Takes a complaint, on any thread.
   *
   * @param complaint what is wrong, for developers
   */
  void complained(String complaint);
}
