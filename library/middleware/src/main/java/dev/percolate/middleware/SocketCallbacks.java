package dev.percolate.middleware;

import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.engine.Callbacks;
import dev.percolate.http.CloseCode;
import dev.percolate.http.WebSocketException;
import dev.percolate.middleware.socket.DisconnectCause;
import dev.percolate.middleware.socket.SocketInput;
import dev.percolate.middleware.socket.SocketOutput;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Passes the messages of one socket to callbacks, one after the other, on the serial executor of
 * its request.
 *
 * @param socket the socket
 * @param assembly assembles the messages
 * @param text receives text messages; null to close with 1003
 * @param binary receives binary messages; null to close with 1003
 * @param news the number of notifications not yet handled
 */
record SocketCallbacks(
    WebSocket socket,
    MessageAssembly assembly,
    @Nullable Taker<String> text,
    @Nullable Taker<byte[]> binary,
    AtomicInteger news) {

  /** Receives messages of one type. */
  @FunctionalInterface
  interface Taker<M> {

    void take(WebSocket socket, M message) throws Exception;
  }

  /** Handles a notification that data has arrived. */
  void notified() {
    if (news.getAndIncrement() == 0) {
      socket.connection().connection().executor().execute(this::drain);
    }
  }

  private void drain() {
    int seen;
    do {
      seen = news.get();
      try {
        takeAll();
      } catch (Throwable e) { // otherwise no further message would be handled
        failed(socket, e);
      }
    } while (!news.compareAndSet(seen, 0));
  }

  private void takeAll() {
    SocketInput input = socket.connection().input();
    SocketOutput output = socket.connection().output();
    // Read no more messages while the client does not read the responses: memory would fill.
    while (output.hasRoom(this::notified)) {
      SocketInput.Piece piece = input.poll();
      if (piece == null) {
        break;
      }
      try {
        WebSocketMessage message = assembly.add(piece);
        if (message != null) {
          take(message);
        }
      } catch (WebSocketException e) {
        socket.connection().reject(e);
      } catch (Throwable e) { // an Error as well: otherwise the socket stays open
        failed(socket, e);
      }
    }
    if (input.isOver()) {
      assembly.drop();
    }
  }

  private void take(WebSocketMessage message) throws Exception {
    if (message.isText() && text != null) {
      text.take(socket, message.text());
    } else if (!message.isText() && binary != null) {
      binary.take(socket, message.bytes());
    } else {
      String taken =
          message.isText() ? "text messages are not accepted" : "binary messages are not accepted";
      throw new WebSocketException(CloseCode.UNSUPPORTED, taken);
    }
  }

  /**
   * Closes a socket whose handler failed, and logs the failure unless the client disconnected. The
   * failure of a store was logged already; then the client may reconnect.
   */
  static void failed(WebSocket socket, Throwable failure) {
    if (failure instanceof StoreUnavailableException) {
      socket.close(CloseCode.TRY_AGAIN, "");
      return;
    }
    if (socket.isOpen() || !DisconnectCause.mayCause(failure)) {
      Callbacks.failed("a handler of the " + socket, failure);
    }
    socket.close(CloseCode.SERVER_ERROR, "");
  }
}
