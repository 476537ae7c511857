package dev.percolate.core;

/**
 * Observes requests that get a response before they enter the chain: those that an engine or {@link
 * RequestControl#admit} rejects, and {@code OPTIONS *}, which gets 200.
 *
 * <p>Engines respond to a malformed or oversized request head themselves. Such a request is passed
 * once to all middleware that implements this interface and is mounted at {@code /} of the
 * outermost application, or is part of {@link Chain#service} or of a filter. Request loggers
 * implement this interface, so that they log every request.
 */
public interface RejectionListener {

  /**
   * Observes a request that already has a response. Must not respond or block.
   *
   * @param req the request as far as it was read; missing parts are empty
   * @param res the response of the engine with its status code, already started
   */
  void onRejected(Request req, Response res);
}
