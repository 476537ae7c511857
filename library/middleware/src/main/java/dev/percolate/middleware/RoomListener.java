package dev.percolate.middleware;

import dev.percolate.middleware.socket.SocketThreads;
import dev.percolate.middleware.topic.TopicEntry;
import dev.percolate.middleware.topic.TopicListener;

/**
 * Passes the messages to one address, a room or a user, from a shared channel to a socket.
 *
 * @param address the hash of the room or user
 * @param user the hash of the user of the socket
 * @param id the name of the id of messages
 * @param presence whether the socket receives joins and leaves
 * @param asked when the socket was requested, by {@link System#nanoTime}
 */
record RoomListener(
    WebSocket socket, String address, String user, String id, boolean presence, long asked)
    implements TopicListener {

  @Override
  public boolean offer(TopicEntry entry, long most) {
    String envelope = entry.json();
    if (entry.isMessage()) {
      if (!RoomEnvelope.isFor(envelope, address) || RoomEnvelope.isExcept(envelope, user)) {
        return true;
      }
      if (RoomEnvelope.has(envelope, "close")) {
        if (entry.received() - asked > 0) { // otherwise it was meant for earlier sockets
          int code = Integer.parseInt(RoomEnvelope.value(envelope));
          SocketThreads.execute(() -> socket.close(code, ""));
        }
        return true;
      }
      if (!presence && !RoomEnvelope.has(envelope, "data")) {
        return true;
      }
    }
    return socket.offer(entry.numberedFrame(id, () -> RoomEnvelope.field(envelope)), most);
  }

  @Override
  public void drop() {
    socket.drop();
  }

  @Override
  public boolean awaitRoom(long end) {
    return socket.connection().output().awaitRoom(end);
  }
}
