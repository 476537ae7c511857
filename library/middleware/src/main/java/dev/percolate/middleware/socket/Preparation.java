package dev.percolate.middleware.socket;

import dev.percolate.core.Request;
import java.util.function.Consumer;

/**
 * Prepares a stream or WebSocket before its client is connected.
 *
 * @param <C> the type of the stream or WebSocket
 */
@FunctionalInterface
public interface Preparation<C> {

  /**
   * The result of the preparation. Exactly one of the two is called.
   *
   * @param begun receives the stream or WebSocket when it is connected; it may have ended by then
   * @param cancelled runs if there is no connection
   * @param <C> the type of the stream or WebSocket
   */
  record Joined<C>(Consumer<C> begun, Runnable cancelled) {}

  Joined<C> join(Request req);
}
