package dev.percolate.framework;

/** One link of an application's chain; it keeps nothing of a request. */
abstract class Layer {

  /** Returns what it is: {@code use /admin}. */
  abstract String name();

  /** Returns where it was defined: {@code Main.java:31}. */
  abstract String origin();

  /** Returns what it is and where it was defined: {@code use /admin at Main.java:31}. */
  @Override
  public String toString() {
    return name() + " at " + origin();
  }
}
