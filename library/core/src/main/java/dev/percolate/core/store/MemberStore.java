package dev.percolate.core.store;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Stores which users are in which rooms, for one process or several. {@code MemoryMembers} of the
 * module {@code middleware} does so in memory. {@code RoomsContract} of the module {@code testkit}
 * tests all of this.
 *
 * <p>Each server adds the members that are connected to it, under its {@link Lease}, and renews the
 * lease every few seconds. If a server stops renewing it, the next {@link #renew} of another server
 * removes its members. A user is in a room while at least one server has added them.
 *
 * <p>A store must be thread-safe. Its methods may block, unless the server runs on event loops.
 */
public interface MemberStore {

  /**
   * A user in a room.
   *
   * @param room the key of the room: 43 letters, digits, {@code -} or {@code _}
   * @param user 1 to 256 characters without U+0000
   */
  record Member(String room, String user) {}

  /**
   * The right of a server to keep its members in the store.
   *
   * @param server the id of the server: at most 43 letters, digits, {@code -} or {@code _}
   * @param time the time after a renewal at which the lease ends, by the clock of the store
   */
  record Lease(String server, Duration time) {}

  /**
   * The result of a renewal.
   *
   * @param known false if the store did not know the lease: it was removed with its members, or the
   *     store has lost its data. The server must add its members again
   * @param gone users that are no longer in a room, since the lease of their last server has ended.
   *     One renewal returns each of them, and it may leave some to the next one
   */
  record Renewal(boolean known, List<Member> gone) {}

  /**
   * Adds a member of a server. Begins the lease if the store does not know it. Does nothing more if
   * the server has added the member before.
   *
   * @param lease the lease of the server
   * @param member the member
   * @return whether the user was not in the room before
   * @throws IOException if the store fails
   */
  boolean join(Lease lease, Member member) throws IOException;

  /**
   * Removes a member of a server, if the server has added it.
   *
   * @param lease the lease of the server
   * @param member the member
   * @return whether the user was in the room, and no longer is
   * @throws IOException if the store fails
   */
  boolean leave(Lease lease, Member member) throws IOException;

  /**
   * Renews the lease of a server, or begins it. Removes all leases that have ended, and their
   * members.
   *
   * @param lease the lease; its time is zero to end it now
   * @return the members that were removed
   * @throws IOException if the store fails
   */
  Renewal renew(Lease lease) throws IOException;

  /**
   * Returns the users in a room, each once.
   *
   * @param room the key of the room
   * @throws IOException if the store fails
   */
  List<String> members(String room) throws IOException;

  /**
   * Returns the number of users in a room.
   *
   * @param room the key of the room
   * @throws IOException if the store fails
   */
  int count(String room) throws IOException;
}
