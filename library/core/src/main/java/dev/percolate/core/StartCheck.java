package dev.percolate.core;

import dev.percolate.engine.ListenOptions;
import java.util.List;

/**
 * Checks before a server starts that the requirements of middleware are met, such as a directory.
 *
 * <p>Applications call it for all middleware and handlers that implement it, including those of
 * mounted applications, at each {@code listen}. Do not check conditions that may change while the
 * server runs.
 */
public interface StartCheck {

  /**
   * Checks the requirements. Default: none.
   *
   * @throws IllegalStateException if a requirement is missing; the message names it
   */
  default void checkStart() {}

  /**
   * Checks the requirements for a server. Default: calls {@link #checkStart()}.
   *
   * @param options the options of the server that is about to start
   * @throws IllegalArgumentException if an option conflicts with this middleware
   * @throws IllegalStateException if a requirement is missing; the message names it
   */
  default void checkStart(ListenOptions options) {
    checkStart();
  }

  /**
   * Checks that the server meets the requirements, and that required middleware is present before
   * this one. Default: calls {@link #checkStart(ListenOptions)}.
   *
   * @param options the options of the server that is about to start
   * @param before the middleware and handlers that each request passes before this one, in order,
   *     including those of enclosing applications and of its own route
   * @throws IllegalArgumentException if an option conflicts with this middleware
   * @throws IllegalStateException if a requirement is missing; the message names it
   */
  default void checkStart(ListenOptions options, List<Middleware> before) {
    checkStart(options);
  }
}
