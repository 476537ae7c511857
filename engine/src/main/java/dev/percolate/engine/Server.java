package dev.percolate.engine;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletionStage;

/**
 * One port that a service listens on.
 *
 * <p>When the process is asked to end, all servers are closed as by {@link #close}, before anything
 * else is.
 */
public interface Server extends AutoCloseable {

  /** Returns the port, the one found free where 0 was asked for. */
  int port();

  /**
   * Returns the address to reach it by from this machine, such as {@code http://localhost:3000}.
   */
  URI uri();

  /** Tells whether the server is being closed, which who looks after it should know. */
  boolean leaving();

  /**
   * Closes the server: {@linkplain ListenOptions#announce announces} that, refuses new connections,
   * lets requests that have arrived be answered, up to the {@linkplain ListenOptions#drain
   * deadline}, then closes what is left. Returns when it is done; a second call waits for the
   * first.
   */
  @Override
  void close();

  /**
   * Reads the files of {@link ListenOptions#tls} again, such as when certificates have been
   * renewed. Connections that begin later use what is in them now; those that are open go on.
   *
   * @throws IOException if the files cannot be read, naming the file and the reason; then the
   *     server goes on with what it has
   * @throws UnsupportedOperationException if the engine cannot do so
   * @throws IllegalStateException if the server has no TLS
   */
  default void reloadTls() throws IOException {
    throw new UnsupportedOperationException(
        "reloadTls(): this engine reads certificates once, when the server starts");
  }

  /**
   * Returns how many connections have come to an end before TLS was agreed upon: what they sent was
   * something else, client and server had nothing in common, or it took longer than {@link
   * ListenOptions#headTimeout}. No log line tells of these. 0 on engines that do not count them.
   */
  default long failedHandshakes() {
    return 0;
  }

  /** Returns how many connections are open; -1 on engines that do not count them. */
  default int connections() {
    return -1;
  }

  /** Returns the stage that ends when the server is closed. */
  CompletionStage<Void> closed();
}
