package dev.percolate.core;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * Handles a request asynchronously: returns a {@link CompletionStage} that completes after the
 * response was sent. See {@link Middleware#async}.
 */
@FunctionalInterface
public interface AsyncHandler {

  /**
   * Starts to handle the request.
   *
   * @param req the request
   * @param res its response, to be sent before the stage completes
   * @return the stage; if it fails, its error goes to the error handlers
   * @throws Exception for an immediate failure, which also goes to the error handlers
   */
  CompletionStage<?> handle(Request req, Response res) throws Exception;

  /** Returns the error of a stage without the wrappers that {@code java.util.concurrent} adds. */
  static Throwable unwrap(Throwable error) {
    Throwable inner = error;
    while ((inner instanceof CompletionException || inner instanceof ExecutionException)
        && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
