package dev.percolate.http;

import java.util.function.Consumer;

/**
 * The base class of immutable objects whose option methods return a changed copy.
 *
 * <pre>{@code
 * public Notice colour(String colour) {
 *   return with(copy -> copy.colour = colour);
 * }
 * }</pre>
 *
 * @param <C> the class itself
 */
public abstract class Copyable<C extends Copyable<C>> implements Cloneable {

  /** Creates an object. */
  protected Copyable() {}

  /**
   * Returns a changed copy.
   *
   * @param change sets fields of the copy
   */
  @SuppressWarnings("unchecked") // C is this class
  protected final C with(Consumer<? super C> change) {
    try {
      C copy = (C) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
