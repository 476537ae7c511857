package dev.percolate.core;

/**
 * Responds to a request. A handler is {@link Middleware} that does not call {@code next}.
 *
 * <p>It may respond later and on any thread. The request stays open until then.
 */
@FunctionalInterface
public interface Handler extends Middleware {

  /**
   * Handles the request.
   *
   * @param req the request
   * @param res its response
   * @throws Exception any failure; it goes to the error handlers that follow
   */
  void handle(Request req, Response res) throws Exception;

  @Override
  @SuppressWarnings("FunctionalInterfaceMethodChanged") // distinguished by the number of arguments
  default void handle(Request req, Response res, Next next) throws Exception {
    handle(req, res);
  }
}
