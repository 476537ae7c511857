package dev.percolate.core;

import dev.percolate.engine.ListenOptions;
import java.util.List;

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

  /**
   * Checks what has to be there for a server; {@link #checkStart()}, where its options do not
   * matter.
   *
   * @param options how the server is about to listen
   * @throws IllegalArgumentException if an option does not go with this step
   * @throws IllegalStateException if something is missing, with a message that names it
   */
  default void checkStart(ListenOptions options) {
    checkStart();
  }

  /**
   * Checks that the server meets the requirements of this step, and that the steps that it needs
   * are before it. Default: calls {@link #checkStart(ListenOptions)}.
   *
   * @param options the options of the server that is about to start
   * @param before the steps that each request passes before this one, in order, including those of
   *     enclosing applications and of its own route
   * @throws IllegalArgumentException if an option conflicts with this step
   * @throws IllegalStateException if a requirement is missing; the message names it
   */
  default void checkStart(ListenOptions options, List<Middleware> before) {
    checkStart(options);
  }
}
