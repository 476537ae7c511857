package dev.percolate.core;

/**
 * Takes one step of answering a request: it answers, or passes on by {@code next}, or throws.
 *
 * <p>Everything in the path of a request is a middleware: loggers, parsers, routes, applications.
 * One instance serves many requests at the same time, so it keeps nothing of a request in its
 * fields. The steps of one request never run at the same time, and each sees what the one before it
 * wrote. A step may block (unless its server runs on the event loop), may keep {@code next} and
 * call it later from any thread, and may throw whatever it likes.
 */
@FunctionalInterface
public interface Middleware {

  /**
   * Handles a request or passes it on.
   *
   * @param req the request
   * @param res its response
   * @param next passes on to what follows; to be called once at most
   * @throws Exception for any failure; it goes to the error handlers that follow
   */
  void handle(Request req, Response res, Next next) throws Exception;

  /**
   * Creates a middleware of a step that answers by the end of a stage.
   *
   * <p>A stage that fails is passed to {@link Next#fail}, its error freed of the wrappers of {@code
   * java.util.concurrent}; when it succeeds, the step is expected to have answered. Without this, a
   * lambda that returns a stage would compile, and its failure be dropped.
   *
   * @param step starts the work and returns its stage
   */
  static Middleware async(AsyncHandler step) {
    return (req, res, next) ->
        step.handle(req, res)
            .whenComplete(
                (done, error) -> {
                  if (error != null) {
                    next.fail(AsyncHandler.unwrapped(error));
                  }
                });
  }
}
