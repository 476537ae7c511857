package dev.percolate.core;

/**
 * Sends the default response if no handler has responded: a 404, or the {@link ErrorResponse}. It
 * is at the end of the outermost chain.
 */
public final class FinalHandler implements Next {

  private final Response res;

  /**
   * Creates the end of the chain of one request.
   *
   * @param res its response
   */
  public FinalHandler(Response res) {
    this.res = res;
  }

  @Override
  public void run() {
    ErrorResponse.notFound(res);
  }

  @Override
  public void fail(Throwable error) {
    ErrorResponse.send(error, res);
  }

  @Override
  public void route() {
    fail(new IllegalStateException("next.route() was called outside of a route"));
  }
}
