package dev.percolate.core;

/**
 * Sends the default response if no handler has responded: a 404, or the {@link ErrorResponse}. It
 * is at the end of the outermost chain.
 */
public final class FinalHandler implements Next {

  /**
   * Handles an error that no error handler of the application has handled, instead of the default
   * error page. Middleware sets it before it passes on an error whose response it documents.
   */
  public static final Key<ErrorHandler> LAST_ERROR_HANDLER =
      Key.of("last error handler", ErrorHandler.class);

  private final Request req;
  private final Response res;

  /**
   * Creates the end of the chain of one request.
   *
   * @param req the request
   * @param res its response
   */
  public FinalHandler(Request req, Response res) {
    this.req = req;
    this.res = res;
  }

  @Override
  public void run() {
    ErrorResponse.notFound(res);
  }

  @Override
  public void fail(Throwable error) {
    ErrorHandler last = req.attrOrNull(LAST_ERROR_HANDLER);
    if (last != null && !res.headersSent()) {
      req.attr(LAST_ERROR_HANDLER, null);
      try {
        last.handle(error, req, res, this);
      } catch (Exception e) {
        fail(e);
      }
      return;
    }
    ErrorResponse.send(error, res);
  }

  @Override
  public void route() {
    fail(new IllegalStateException("next.route() was called outside of a route"));
  }
}
