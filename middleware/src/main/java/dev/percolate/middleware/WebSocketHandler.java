package dev.percolate.middleware;

/**
 * Holds one conversation over a WebSocket, on a thread that may wait; see {@link WebSockets#of}.
 */
@FunctionalInterface
public interface WebSocketHandler {

  /**
   * Holds the conversation. When it returns, the socket is closed with 1000; when it throws, with
   * 1011.
   *
   * @param socket the socket
   * @throws Exception for any failure, which is logged; that the other side has gone is none
   */
  void handle(WebSocket socket) throws Exception;
}
