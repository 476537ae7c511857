package dev.percolate.core;

/** Those who wait for an answer. */
interface Watched {

  /** Is called when somebody answers, or nobody is there to be answered. */
  void answered();

  /** Is called when the answer could not be made, and another may come. */
  void watchAgain();
}
