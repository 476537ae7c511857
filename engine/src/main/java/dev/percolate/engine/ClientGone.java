package dev.percolate.engine;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Says that the client went away before the exchange was over.
 *
 * <p>Reading a body and writing an answer throw it. There is nobody left to answer, and nothing is
 * wrong with the server: it is not logged as an error.
 */
public final class ClientGone extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates the exception; engines do.
   *
   * @param cause how the engine noticed, or null
   */
  public ClientGone(@Nullable Throwable cause) {
    super("the client has gone", cause);
  }
}
