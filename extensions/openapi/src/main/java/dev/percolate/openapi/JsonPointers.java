package dev.percolate.openapi;

/** Creates parts of JSON pointers (RFC 6901). */
final class JsonPointers {

  private static final int MOST_ECHOED = 64;

  private JsonPointers() {}

  /**
   * Returns a name in the syntax of a pointer. Clients choose the keys of maps, so a very long key
   * is truncated to keep responses short.
   */
  static String step(String name) {
    return beginning(name).replace("~", "~0").replace("/", "~1");
  }

  /** Returns the first characters of a text from a client, with an ellipsis if there are more. */
  static String beginning(String sent) {
    if (sent.length() <= MOST_ECHOED) {
      return sent;
    }
    boolean splits = Character.isHighSurrogate(sent.charAt(MOST_ECHOED - 1));
    return sent.substring(0, splits ? MOST_ECHOED - 1 : MOST_ECHOED) + "\u2026";
  }
}
