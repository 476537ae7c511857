package dev.percolate.middleware;

import dev.percolate.http.Hash;
import dev.percolate.http.HttpError;

/**
 * The address of a room or a user.
 *
 * @param topic the topic that it shares with other addresses
 * @param key the hash of its name
 * @param <T> the type of the messages
 */
record RoomAddress<T>(Topic<T> topic, String key) {

  private static final int LONGEST_NAME = 256;

  /** Returns the address of a room. Hashes begin with one of 64 characters. */
  static <T> RoomAddress<T> ofRoom(Topic<T> all, String key) {
    return new RoomAddress<>(all.child("room/" + key.charAt(0)), key);
  }

  static <T> RoomAddress<T> ofUser(Topic<T> all, String user) {
    String key = userKey(user);
    return new RoomAddress<>(all.child("user/" + key.charAt(0)), key);
  }

  /** Returns the hash of a room; it contains the name of the rooms, since they share a store. */
  static String roomKey(String name, String room) {
    return Hash.sha256(name + '\n' + checked("room", room));
  }

  static String userKey(String user) {
    return Hash.sha256(checked("user", user));
  }

  private static String checked(String what, String text) {
    boolean valid =
        !text.isEmpty()
            && text.length() <= LONGEST_NAME
            && text.codePoints().noneMatch(c -> c == 0 || (c >= 0xD800 && c < 0xE000));
    if (!valid) {
      throw new HttpError(400, what + " must be 1 to " + LONGEST_NAME + " Unicode characters");
    }
    return text;
  }

  /** Sends a field to all listeners except those of a user. Messages wait for slow listeners. */
  long publish(String except, String field, String json) {
    boolean waits = field.equals("data");
    return topic.publish(
        RoomEnvelope.of(key, except, field, json),
        listener -> waits && listener instanceof RoomListener one && one.address().equals(key));
  }
}
