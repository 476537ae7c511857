package dev.percolate.engine;

import dev.percolate.http.Headers;

/**
 * Answers what an engine receives; an application is one.
 *
 * <p>Any number of servers may share one, and any thread may call it.
 */
public interface Service {

  /**
   * Answers a request, now or later; called on the exchange's turn.
   *
   * @param exchange the request and where its answer goes
   */
  void serve(Exchange exchange);

  /**
   * Receives a request that was rejected before any middleware, or {@code OPTIONS *}, to which the
   * server responds itself. Must neither respond nor block.
   *
   * @param exchange the request as far as it could be read
   * @param status the status code of the response
   * @param headers the headers of the response
   */
  void refused(Exchange exchange, int status, Headers headers);

  /**
   * Is called when a server that shares this service is being closed and takes no new clients any
   * more: answers that would go on for ever are to end, so that their clients come back elsewhere.
   */
  default void draining() {}
}
