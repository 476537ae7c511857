package dev.percolate.redis;

import java.util.concurrent.CompletionStage;

/** Forwards everything except {@code send} to other commands, which a test observes. */
interface ForwardingCommands extends RedisCommands {

  RedisCommands commands();

  @Override
  default CompletionStage<AutoCloseable> subscribe(String channel, Listener listener) {
    return commands().subscribe(channel, listener);
  }

  @Override
  default void reconnect() {
    commands().reconnect();
  }

  @Override
  default void close() {
    commands().close();
  }
}
