package dev.percolate.middleware;

import dev.percolate.http.Frame;
import dev.percolate.http.Utf8;
import dev.percolate.middleware.socket.OfferQueue;
import dev.percolate.middleware.socket.SharedFrame;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A group of sockets that receive the same messages, such as a chat room of one process.
 * Thread-safe. {@link Rooms} has the same methods for rooms on several servers, with members.
 *
 * <p>Each message is encoded once. All sockets receive the messages in the same order. In handlers
 * of {@link WebSockets#of} and on virtual threads, a sender waits up to 2 s for slow clients. A
 * socket that is slower, or has more than 1 MiB unsent, is closed with 1013; its client may
 * reconnect.
 *
 * <pre>{@code
 * WebSocketGroup room = new WebSocketGroup();
 * app.get("/room", WebSockets.of(socket -> {
 *   room.join(socket);
 *   for (String text : socket.texts()) {
 *     room.send(text);
 *   }
 * }));
 * }</pre>
 */
public final class WebSocketGroup {

  private final Set<WebSocket> sockets = ConcurrentHashMap.newKeySet();

  /** Held while a message is queued, so that all sockets get the messages in the same order. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Creates a group without sockets. */
  public WebSocketGroup() {}

  /**
   * Adds a socket, which receives all messages from now on. It leaves the group when it ends.
   *
   * @param socket the socket
   * @return this group
   */
  public WebSocketGroup join(WebSocket socket) {
    sockets.add(socket);
    socket.onClose(() -> leave(socket));
    return this;
  }

  /**
   * Removes a socket. Does nothing if it is not in the group.
   *
   * @param socket the socket
   * @return this group
   */
  public WebSocketGroup leave(WebSocket socket) {
    sockets.remove(socket);
    return this;
  }

  /** Returns the number of sockets. */
  public int size() {
    return sockets.size();
  }

  /**
   * Sends a text message to all sockets.
   *
   * @param text the text
   */
  public void send(String text) {
    send(new SharedFrame(Frame.TEXT, Utf8.bytes(text)), null);
  }

  /**
   * Sends a binary message to all sockets.
   *
   * @param bytes the bytes; do not change them afterwards
   */
  public void send(byte[] bytes) {
    send(new SharedFrame(Frame.BINARY, bytes), null);
  }

  /**
   * Sends a text message to all sockets but one, such as that of its sender.
   *
   * @param socket the socket
   * @param text the text
   */
  public void sendExcept(WebSocket socket, String text) {
    send(new SharedFrame(Frame.TEXT, Utf8.bytes(text)), socket);
  }

  private void send(SharedFrame frame, @Nullable WebSocket except) {
    long end = OfferQueue.deadline();
    for (WebSocket socket : sockets) {
      if (socket != except && !socket.connection().output().awaitRoom(end)) {
        socket.drop();
      }
    }
    lock.lock();
    try {
      for (WebSocket socket : sockets) {
        if (socket != except && !socket.offer(frame, OfferQueue.MOST_WAITING)) {
          socket.drop();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
