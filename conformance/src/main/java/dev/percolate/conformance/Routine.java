package dev.percolate.conformance;

import org.jspecify.annotations.Nullable;

/** A function that a scenario defines, or one that it is given. */
@FunctionalInterface
interface Routine {

  /**
   * Calls the function.
   *
   * @param args the arguments; those missing are undefined, further ones ignored
   * @return its value; {@link Values#UNDEFINED} for none
   */
  @Nullable Object call(@Nullable Object... args) throws Exception;

  /** Gives how many parameters it declares; -1 if nobody knows. */
  default int arity() {
    return -1;
  }
}
