package dev.percolate.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to Redis. Implement it to use another client library, or to replace the server in
 * a test.
 *
 * <p>Implementations must be thread-safe and must not block. {@link Redis} adds timeouts and
 * handles servers that do not respond.
 */
public interface RedisCommands extends AutoCloseable {

  /**
   * Sends a command with one key.
   *
   * @param before the name of the command, and any arguments before the key
   * @param key the key, which selects the node in a cluster
   * @param after the arguments after the key
   * @return completes with the reply: a {@link String}, a {@link Long}, a list of them, or null;
   *     fails with {@link RedisException} for an error reply, and with any other exception if Redis
   *     does not respond
   */
  CompletionStage<@Nullable Object> send(List<String> before, String key, List<String> after);

  /**
   * Subscribes to a channel, over a connection that is reopened whenever it is lost.
   *
   * @param channel the channel
   * @param listener called for each message
   * @return completes with a handle that ends the subscription; fails if no connection opens within
   *     the connect timeout of the client
   */
  CompletionStage<AutoCloseable> subscribe(String channel, Listener listener);

  /** Replaces the connection for commands. Called if it does not respond. */
  void reconnect();

  /**
   * Returns the address of Redis for log entries and exception messages, without user and password.
   *
   * @return an address such as {@code 10.0.0.9:6379}; empty by default
   */
  default String address() {
    return "";
  }

  /**
   * Returns the time since messages stopped arriving on subscribed channels because the connection
   * was lost or does not respond.
   *
   * @return milliseconds; 0 while the connection works. Default: 0
   */
  default long disconnectedMillis() {
    return 0;
  }

  @Override
  void close();

  /** Receives the messages of a channel, one at a time. */
  interface Listener {

    /**
     * Called for each published message.
     *
     * @param text the message
     */
    void onMessage(String text);

    /** Called when the subscription is active, at first and again after each interruption. */
    void onConnected();
  }
}
