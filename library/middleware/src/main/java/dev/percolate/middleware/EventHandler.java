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
   * @throws Exception for any failure. It ends the stream, and is logged unless a disconnected
   *     client caused it
   */
  void handle(Request req, EventStream events) throws Exception;
}
