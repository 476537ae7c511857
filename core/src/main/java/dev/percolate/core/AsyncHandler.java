package dev.percolate.core;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * Starts the answer to a request and returns the stage that ends it; see {@link Middleware#async}.
 */
@FunctionalInterface
public interface AsyncHandler {

  /**
   * Starts the work.
   *
   * @param req the request
   * @param res its response, answered by the time the stage succeeds
   * @return the stage; its failure goes to the error handlers
   * @throws Exception for a failure at once, with the same effect
   */
  CompletionStage<?> handle(Request req, Response res) throws Exception;

  /** Frees a stage's error of the wrappers that {@code java.util.concurrent} puts around it. */
  static Throwable unwrapped(Throwable error) {
    Throwable inner = error;
    while ((inner instanceof CompletionException || inner instanceof ExecutionException)
        && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }
}
