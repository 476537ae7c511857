package dev.percolate.middleware;

import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.middleware.topic.MemberLease;
import java.util.List;

/**
 * A room of {@code Rooms}, on all servers. Needs no memory, so you do not need to store it.
 * Thread-safe.
 *
 * @param <T> the type of the messages
 */
public final class Room<T> {

  private final String name;
  private final RoomAddress<T> address;
  private final MemberLease lease;

  Room(String name, RoomAddress<T> address, MemberLease lease) {
    this.name = name;
    this.address = address;
    this.lease = lease;
  }

  /** A callback for joins and leaves. */
  @FunctionalInterface
  public interface OnChange {

    /**
     * Handles a change. It must not block. If it throws, the exception is logged.
     *
     * @param user the user
     * @param joined true if the user has joined the room, false if the user has left it
     */
    void onChange(String user, boolean joined);
  }

  /** Returns the name of the room. */
  public String name() {
    return name;
  }

  RoomAddress<T> address() {
    return address;
  }

  /**
   * Sends a message to all members.
   *
   * @param message the message
   * @return its id
   * @throws StoreUnavailableException if the bus fails; some members may have received the message
   */
  public long send(T message) {
    return address.publish(RoomEnvelope.NONE, "data", address.topic().write(message));
  }

  /**
   * Sends a message to all members but one, such as its sender, on all of that user's devices.
   *
   * @param user the user
   * @param message the message
   * @return its id
   * @throws StoreUnavailableException if the bus fails; some members may have received the message
   */
  public long sendExcept(String user, T message) {
    return address.publish(RoomAddress.userKey(user), "data", address.topic().write(message));
  }

  /**
   * Returns the users in the room, each once, in no particular order.
   *
   * @throws StoreUnavailableException if the member store fails
   */
  public List<String> members() {
    return lease.ask(store -> store.members(address.key()));
  }

  /**
   * Returns the number of users in the room.
   *
   * @throws StoreUnavailableException if the member store fails
   */
  public int count() {
    return lease.ask(store -> store.count(address.key()));
  }

  /**
   * Calls a callback when a user joins the room with the first socket, or leaves it with the last
   * one, on any server. From then on, this process looks every two seconds for servers that were
   * killed, until {@code Rooms.close}. A join may be reported twice if the member store has lost
   * data. Changes are not reported while the bus is unreachable.
   *
   * @param callback the callback
   * @return ends the calls
   * @throws StoreUnavailableException if the bus fails
   */
  public AutoCloseable onChange(OnChange callback) {
    lease.watch();
    Topic<T> topic = address.topic();
    return topic.listen(
        envelope -> {
          boolean joined = RoomEnvelope.has(envelope, "join");
          if (RoomEnvelope.isFor(envelope, address.key())
              && (joined || RoomEnvelope.has(envelope, "leave"))) {
            callback.onChange(topic.text(RoomEnvelope.value(envelope)), joined);
          }
        });
  }
}
