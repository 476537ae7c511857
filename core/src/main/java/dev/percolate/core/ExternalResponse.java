package dev.percolate.core;

import dev.percolate.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Tells a response of an answer that somebody outside of the chain gives: a servlet behind a
 * filter, say.
 *
 * <p>So its hooks run, and loggers see status and headers. A step that answers all the same gets an
 * {@link IllegalStateException}, as after any other answer. Engines use it where a chain passes its
 * request on to them; step 9 of docs/flow.md follows when they end the exchange.
 */
public final class ExternalResponse {

  private final Response res;

  private ExternalResponse(Response res) {
    this.res = res;
  }

  /**
   * Takes the right to answer away from the steps.
   *
   * @param res their response
   * @return null if there is an answer already
   */
  public static @Nullable ExternalResponse claim(Response res) {
    return res.answer().tryClaim() ? new ExternalResponse(res) : null;
  }

  /**
   * Returns what the answer is like that is about to go out, and runs the hooks of {@link
   * Response#onHeaders}; what they throw is reported. They cannot filter the body.
   *
   * @param status its status
   * @param headers its headers; what the hooks change is changed in them
   * @return its status after the hooks
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
   * Tells what the answer was like that has gone out.
   *
   * @param status its status
   * @param headers its headers
   */
  public void end(int status, Headers headers) {
    res.alreadyStarted(status, headers);
  }
}
