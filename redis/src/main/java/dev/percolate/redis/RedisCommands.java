package dev.percolate.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to Redis: what {@link Redis} needs of a client, so that one can take the place of
 * another, or of a server in a test.
 *
 * <p>Any thread may use it, several at the same time; its methods do not wait. Time-outs, and what
 * becomes of a server that does not answer, are up to {@link Redis}.
 */
public interface RedisCommands extends AutoCloseable {

  /**
   * Sends a command with one key.
   *
   * @param before what stands in front of the key: the name of the command, and what belongs to it
   * @param key the key, which tells clusters where to
   * @param after what stands behind the key
   * @return gives the answer: a {@link String}, a {@link Long}, a list of them, or null; fails with
   *     {@link RedisError} if Redis refuses the command, and with anything else if it does not
   *     answer
   */
  CompletionStage<@Nullable Object> send(List<String> before, String key, List<String> after);

  /**
   * Listens to a channel, over a connection that is made again if it is lost.
   *
   * @param channel the channel
   * @param listener is called
   * @return ends listening; fails if there is no connection within the time that the client has
   */
  CompletionStage<AutoCloseable> subscribe(String channel, Listener listener);

  /** Drops the connection for commands and opens another one, since this one does not respond. */
  void reconnect();

  /**
   * Returns the address of Redis for messages, without user and password.
   *
   * @return a text such as {@code 10.0.0.9:6379}; empty by default
   */
  default String address() {
    return "";
  }

  /**
   * Returns for how long no messages can arrive on subscribed channels, because their connection is
   * lost or does not respond.
   *
   * @return milliseconds; 0 while the connection works, and by default
   */
  default long deafMillis() {
    return 0;
  }

  @Override
  void close();

  /** Hears what is said on a channel, one thing after the other. */
  interface Listener {

    /**
     * Takes what was published.
     *
     * @param text what
     */
    void heard(String text);

    /** Is told that from now on nothing is missed, the first time and after each interruption. */
    void connected();
  }
}
