package dev.percolate.framework;

/** A layer of an application. It holds no state of a request. */
abstract class Layer {

  /** Returns the name: {@code use /admin}. */
  abstract String name();

  /** Returns the source line of the definition: {@code Main.java:31}. */
  abstract String origin();

  /** Returns the name and the source line: {@code use /admin at Main.java:31}. */
  @Override
  public String toString() {
    return name() + " at " + origin();
  }
}
