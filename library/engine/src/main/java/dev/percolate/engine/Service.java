package dev.percolate.engine;

import dev.percolate.http.Headers;

/**
 * Responds to the requests of an engine. Applications are services.
 *
 * <p>Thread-safe. Several servers may share a service.
 */
public interface Service {

  /**
   * Responds to a request, now or later. Called on {@link Exchange#executor}.
   *
   * @param exchange the request and its response
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
  void onRejected(Exchange exchange, int status, Headers headers);

  /**
   * Called when a server of this service shuts down and accepts no more clients. Endless responses,
   * such as event streams, must end, so that their clients reconnect to another server.
   */
  default void onShutdown() {}
}
