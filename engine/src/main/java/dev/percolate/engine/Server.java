package dev.percolate.engine;

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

  /** Returns the stage that ends when the server is closed. */
  CompletionStage<Void> closed();
}
