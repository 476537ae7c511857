package dev.percolate.framework;

/** One link of an application's chain; it keeps nothing of a request. */
abstract class Layer {

  /** Returns what it is and where it was defined: {@code use /admin at Main.java:31}. */
  @Override
  public abstract String toString();
}
