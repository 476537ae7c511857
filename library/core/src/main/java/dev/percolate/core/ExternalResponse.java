package dev.percolate.core;

import dev.percolate.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A response that code outside of the chain sends, such as a servlet after a filter.
 *
 * <p>The hooks of the {@link Response} still run, and loggers see its status code and headers. A
 * handler that then tries to respond gets an {@link IllegalStateException}, as after any other
 * response. Engines use this class if a chain passes its request on to them. When they end the
 * exchange, step 9 of docs/flow.md follows.
 */
public final class ExternalResponse {

  private final Response res;

  private ExternalResponse(Response res) {
    this.res = res;
  }

  /**
   * Claims the response, so that handlers can no longer send it.
   *
   * @param res the response of the handlers
   * @return null if the response was already claimed
   */
  public static @Nullable ExternalResponse claim(Response res) {
    return res.answer().tryClaim() ? new ExternalResponse(res) : null;
  }

  /**
   * Runs the hooks of {@link Response#onHeaders} before the response is sent. Errors of hooks are
   * reported. Hooks cannot filter the body.
   *
   * @param status the status code
   * @param headers the headers, which the hooks may change
   * @return the status code after the hooks
   */
  public int start(int status, Headers headers) {
    res.answer().claimHere();
    res.status = status;
    res.headers = headers;
    try {
      res.runHeaderHooks(-1);
    } catch (Throwable e) {
      res.req().late(e);
    }
    return res.status();
  }

  /**
   * Records the response that was sent.
   *
   * @param status the status code
   * @param headers the headers
   */
  public void end(int status, Headers headers) {
    res.alreadyStarted(status, headers);
  }
}
