package dev.percolate.middleware;

import dev.percolate.core.Request;
import java.io.IOException;
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
   * @param begun takes the conversation when it has begun
   * @param cancelled notes that it never will
   * @param <C> the kind of conversation
   */
  record Joined<C>(Consumer<C> begun, Runnable cancelled) {}

  Joined<C> join(Request req) throws IOException;
}
