package dev.percolate.core;

/**
 * Handles a request: sends a response, calls {@code next}, or throws an exception.
 *
 * <p>Loggers, parsers, routes and applications are all middleware. One instance serves many
 * requests concurrently, so it must not keep data of a request in its fields. The middleware and
 * handlers of one request never run concurrently, and each sees the writes of those before it.
 * Middleware may block (unless the server runs it on the event loop), may call {@code next} later
 * from any thread, and may throw any exception.
 */
@FunctionalInterface
public interface Middleware {

  /**
   * Handles a request, or continues with {@code next}.
   *
   * @param req the request
   * @param res its response
   * @param next continues with the next middleware or handler; call it at most once
   * @throws Exception any failure; it goes to the error handlers that follow
   */
  void handle(Request req, Response res, Next next) throws Exception;

  /**
   * Creates a handler from a function that returns a {@link java.util.concurrent.CompletionStage}.
   *
   * <p>If the stage fails, its error goes to {@link Next#fail}, without the wrappers of {@code
   * java.util.concurrent}. If it succeeds, the response must have been sent. Without this method, a
   * lambda that returns a stage would compile, but errors of the stage would be lost.
   *
   * @param step handles the request and returns the stage
   */
  static Middleware async(AsyncHandler step) {
    return (req, res, next) ->
        step.handle(req, res)
            .whenComplete(
                (done, error) -> {
                  if (error != null) {
                    next.fail(AsyncHandler.unwrap(error));
                  }
                });
  }
}
