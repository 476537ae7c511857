package dev.percolate.framework;

/** A layer of an application. It holds no state of a request. */
interface Layer {

  /** Returns the name: {@code use /admin}. */
  String name();

  /** Returns the source line of the definition: {@code Main.java:31}. */
  String origin();

  /** Returns the name and the source line: {@code use /admin at Main.java:31}. */
  default String text() {
    return name() + " at " + origin();
  }
}
