package dev.percolate.middleware;

/**
 * A message on a channel that many rooms share: {@code ["address","except",{…}]}. Address and
 * except are hashes of rooms and users, and have a fixed length.
 */
final class RoomEnvelope {

  /** The exception of a message to all members; as long as a hash. */
  static final String NONE = "-".repeat(43);

  private static final int ADDRESS = 2;
  private static final int EXCEPT = 48;
  private static final int CONTENT = 93;

  private RoomEnvelope() {}

  static String of(String address, String except, String field, String json) {
    return "[\"" + address + "\",\"" + except + "\",{\"" + field + "\":" + json + "}]";
  }

  static boolean isFor(String envelope, String address) {
    return envelope.startsWith(address, ADDRESS);
  }

  static boolean isExcept(String envelope, String user) {
    return envelope.startsWith(user, EXCEPT);
  }

  /** Returns true if the content has this field. */
  static boolean has(String envelope, String field) {
    return envelope.startsWith("{\"" + field + "\":", CONTENT);
  }

  /** Returns the field and its value, without braces. */
  static String field(String envelope) {
    return envelope.substring(CONTENT + 1, envelope.length() - 2);
  }

  /** Returns the JSON of the value of the field. */
  static String value(String envelope) {
    return envelope.substring(envelope.indexOf(':', CONTENT) + 1, envelope.length() - 2);
  }
}
