package dev.percolate.middleware;

import dev.percolate.core.Request;
import java.util.function.Consumer;

/**
 * Prepares a conversation before its client learns that it has begun.
 *
 * @param <C> the kind of conversation
 */
@FunctionalInterface
interface Joining<C> {

  /**
   * What has been prepared, one of which is called.
   *
   * @param begun takes the conversation when it has begun, though it may be over by then
   * @param cancelled notes that there is none
   * @param <C> the kind of conversation
   */
  record Joined<C>(Consumer<C> begun, Runnable cancelled) {}

  Joined<C> join(Request req);
}
