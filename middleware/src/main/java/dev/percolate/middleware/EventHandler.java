package dev.percolate.middleware;

import dev.percolate.core.Request;

/** Sends events to one client; see {@link Events}. */
@FunctionalInterface
public interface EventHandler {

  /**
   * Sends events.
   *
   * @param req the request
   * @param events the stream to send them to
   * @throws Exception for any failure. It is logged and ends the stream, unless the client has
   *     disconnected
   */
  void handle(Request req, EventStream events) throws Exception;
}
