package dev.percolate.middleware;

/** Handles one WebSocket on a thread that may block; see {@link WebSockets#of}. */
@FunctionalInterface
public interface WebSocketHandler {

  /**
   * Handles a socket. When it returns, the socket is closed with 1000. If it throws, the socket is
   * closed with 1011.
   *
   * @param socket the socket
   * @throws Exception for any failure. It is logged, unless the client has disconnected
   */
  void handle(WebSocket socket) throws Exception;
}
