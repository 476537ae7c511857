package dev.percolate.core;

import java.util.Objects;

/**
 * Takes an error that a step before it threw or passed on; without an error it is left out.
 *
 * <p>It may answer, pass the error (or another) on by {@link Next#fail}, or declare it dealt with
 * by {@link Next#run}. It is called also when the answer has been started already: {@link
 * Response#headersSent} tells.
 */
@FunctionalInterface
public interface ErrorHandler extends Middleware {

  /**
   * Deals with an error.
   *
   * @param error what was thrown or passed on
   * @param req the request
   * @param res its response; the status is still what the failing step left
   * @param next passes on to what follows
   * @throws Exception for a failure of its own; it replaces the error
   */
  void handle(Throwable error, Request req, Response res, Next next) throws Exception;

  @Override
  @SuppressWarnings("FunctionalInterfaceMethodChanged") // the number of arguments tells them apart
  default void handle(Request req, Response res, Next next) {
    next.run();
  }

  /**
   * Creates an error handler for errors of one type; others are passed on untouched.
   *
   * @param type the class of the errors, subclasses included
   * @param handler gets them
   * @param <E> that type
   */
  static <E extends Throwable> ErrorHandler of(Class<E> type, OfType<? super E> handler) {
    Objects.requireNonNull(type, "ErrorHandler.of(null, …)");
    Objects.requireNonNull(handler, "ErrorHandler.of(…, null)");
    return (error, req, res, next) -> {
      if (type.isInstance(error)) {
        handler.handle(type.cast(error), req, res, next);
      } else {
        next.fail(error);
      }
    };
  }

  /**
   * Deals with errors of one type; see {@link #of}.
   *
   * @param <E> the type
   */
  @FunctionalInterface
  interface OfType<E extends Throwable> {

    /**
     * Deals with an error.
     *
     * @param error what was thrown or passed on
     * @param req the request
     * @param res its response
     * @param next passes on to what follows
     * @throws Exception for a failure of its own; it replaces the error
     */
    void handle(E error, Request req, Response res, Next next) throws Exception;
  }
}
