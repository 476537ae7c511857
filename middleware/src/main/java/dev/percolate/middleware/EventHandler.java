package dev.percolate.middleware;

import dev.percolate.core.Request;

/** Sends events to one client; see {@link Events}. */
@FunctionalInterface
public interface EventHandler {

  /**
   * Sends events.
   *
   * @param req the request
   * @param events takes them
   * @throws Exception for any failure, which is logged and ends the stream; that the client has
   *     gone is none
   */
  void handle(Request req, EventStream events) throws Exception;
}
