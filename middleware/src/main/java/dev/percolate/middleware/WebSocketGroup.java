package dev.percolate.middleware;

import dev.percolate.http.Frame;
import dev.percolate.http.Utf8;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Some sockets that get the same messages, such as those of a room. Any thread may use it.
 *
 * <p>A message is encoded once, and all get the messages in the same order. Who sends waits for
 * those that are slow, for 2 s at most and where it is known that its thread may wait: in handlers
 * of {@link WebSockets#of}, and on virtual threads. Who is slower, or has 1 MiB waiting, is closed
 * with 1013, and may come back.
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

  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock. */
  private final Set<WebSocket> sockets = new LinkedHashSet<>();

  /** Creates a group without sockets. */
  public WebSocketGroup() {}

  /**
   * Adds a socket, which gets all messages from now on; it leaves when it ends.
   *
   * @param socket the socket
   * @return this group
   */
  public WebSocketGroup join(WebSocket socket) {
    lock.lock();
    try {
      sockets.add(socket);
    } finally {
      lock.unlock();
    }
    socket.onEnd(() -> leave(socket));
    return this;
  }

  /**
   * Takes a socket out; does nothing if it is not in.
   *
   * @param socket the socket
   * @return this group
   */
  public WebSocketGroup leave(WebSocket socket) {
    lock.lock();
    try {
      sockets.remove(socket);
    } finally {
      lock.unlock();
    }
    return this;
  }

  /** Returns how many sockets there are. */
  public int size() {
    lock.lock();
    try {
      return sockets.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a text to all.
   *
   * @param text the text
   */
  public void send(String text) {
    send(new SharedFrame(Frame.TEXT, Utf8.bytes(text)));
  }

  /**
   * Sends bytes to all.
   *
   * @param bytes the bytes, not to be changed afterwards
   */
  public void send(byte[] bytes) {
    send(new SharedFrame(Frame.BINARY, bytes));
  }

  private void send(SharedFrame frame) {
    long end = OfferQueue.deadline();
    for (WebSocket socket : members()) {
      if (!socket.connection().output().awaitRoom(end)) {
        socket.drop();
      }
    }
    lock.lock();
    try {
      for (WebSocket socket : members()) {
        if (!socket.offer(frame, OfferQueue.MOST_WAITING)) {
          socket.drop();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private List<WebSocket> members() {
    lock.lock();
    try {
      return List.copyOf(sockets);
    } finally {
      lock.unlock();
    }
  }
}
