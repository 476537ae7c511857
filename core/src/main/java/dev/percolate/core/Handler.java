package dev.percolate.core;

/**
 * Answers a request: a {@link Middleware} that never passes on.
 *
 * <p>It may answer later, from any thread; until then the request stays open.
 */
@FunctionalInterface
public interface Handler extends Middleware {

  /**
   * Answers the request.
   *
   * @param req the request
   * @param res its response
   * @throws Exception for any failure; it goes to the error handlers that follow
   */
  void handle(Request req, Response res) throws Exception;

  @Override
  @SuppressWarnings("FunctionalInterfaceMethodChanged") // the number of arguments tells them apart
  default void handle(Request req, Response res, Next next) throws Exception {
    handle(req, res);
  }
}
