package dev.percolate.engine;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by reading a request body or writing a response if the client has disconnected.
 *
 * <p>It is not logged as an error, since the server is not at fault.
 */
public final class ClientDisconnectedException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception. Called by engines.
   *
   * @param cause the exception by which the engine detected it, or null
   */
  public ClientDisconnectedException(@Nullable Throwable cause) {
    super("client disconnected", cause);
  }
}
