package dev.percolate.core;

import java.util.Objects;

/**
 * Handles an error that earlier middleware or an earlier handler threw or passed on. It is skipped
 * if there is no error.
 *
 * <p>It can send a response, pass on this or another error with {@link Next#fail}, or continue
 * without an error with {@link Next#run}. It is also called if the response has already started;
 * see {@link Response#headersSent}.
 */
@FunctionalInterface
public interface ErrorHandler extends Middleware {

  /**
   * Handles an error.
   *
   * @param error the error
   * @param req the request
   * @param res its response, with the status code that the failed handler left
   * @param next continues with the next handler
   * @throws Exception a new error, which replaces the current one
   */
  void handle(Throwable error, Request req, Response res, Next next) throws Exception;

  @Override
  @SuppressWarnings("FunctionalInterfaceMethodChanged") // distinguished by the number of arguments
  default void handle(Request req, Response res, Next next) {
    next.run();
  }

  /**
   * Creates an error handler for errors of one type. Other errors are passed on unchanged.
   *
   * @param type the class of the errors, including its subclasses
   * @param handler handles these errors
   * @param <E> the type of the errors
   */
  static <E extends Throwable> ErrorHandler of(Class<E> type, OfType<? super E> handler) {
    Objects.requireNonNull(type, "ErrorHandler.of: type must not be null");
    Objects.requireNonNull(handler, "ErrorHandler.of: handler must not be null");
    return (error, req, res, next) -> {
      if (type.isInstance(error)) {
        handler.handle(type.cast(error), req, res, next);
      } else {
        next.fail(error);
      }
    };
  }

  /**
   * Handles errors of one type; see {@link #of}.
   *
   * @param <E> the type of the errors
   */
  @FunctionalInterface
  interface OfType<E extends Throwable> {

    /**
     * Handles an error.
     *
     * @param error the error
     * @param req the request
     * @param res its response
     * @param next continues with the next handler
     * @throws Exception a new error, which replaces the current one
     */
    void handle(E error, Request req, Response res, Next next) throws Exception;
  }
}
