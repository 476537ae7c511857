package dev.percolate.core;

/**
 * Checks, before a server starts, that what a middleware needs is there, such as a directory.
 *
 * <p>Applications ask each layer and each step of a route that implements this, those of mounted
 * applications too, each time that they listen. What may come and go while the server runs is
 * nothing to check.
 */
public interface StartCheck {

  /**
   * Checks what has to be there.
   *
   * @throws IllegalStateException if something is missing, with a message that names it
   */
  void checkStart();
}
