package dev.percolate.engine;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.CompletionStage;

/**
 * A server that listens on one port.
 *
 * <p>When the process receives a signal to end, all servers are closed first, as by {@link #close}.
 */
public interface Server extends AutoCloseable {

  /** Returns the port. If the option was 0, this is the port that was chosen. */
  int port();

  /** Returns the URL of the server on this machine, such as {@code http://localhost:3000}. */
  URI uri();

  /** Returns true if the server is being closed. Readiness probes should then fail. */
  boolean isShuttingDown();

  /**
   * Closes the server gracefully: {@linkplain ListenOptions#shutdownDelay announces} the shutdown,
   * refuses new connections, waits for current requests up to the {@linkplain
   * ListenOptions#shutdownTimeout deadline}, then closes all connections. Blocks until the server
   * is closed; a second call waits for the first.
   */
  @Override
  void close();

  /**
   * Reads the files of {@link ListenOptions#tls} again, for example after certificates were
   * renewed. New connections use the new certificates; open connections keep the old ones.
   *
   * @throws IOException if the files cannot be read; the message contains the file and the reason,
   *     and the server keeps its certificates
   * @throws UnsupportedOperationException if the engine does not support it
   * @throws IllegalStateException if the server has no TLS
   */
  default void reloadTls() throws IOException {
    throw new UnsupportedOperationException(
        "reloadTls(): this engine reads certificates once, when the server starts");
  }

  /**
   * Returns the number of failed TLS handshakes. They fail if the client does not use TLS, shares
   * no protocol version or cipher suite, or takes longer than {@link ListenOptions#headerTimeout}.
   * Failures are not logged. Returns 0 on engines that do not count them.
   */
  default long failedHandshakes() {
    return 0;
  }

  /** Returns the number of open connections; -1 on engines that do not count them. */
  default int connections() {
    return -1;
  }

  /** Returns a stage that completes when the server is closed. */
  CompletionStage<Void> closed();
}
