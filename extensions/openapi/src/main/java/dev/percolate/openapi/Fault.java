package dev.percolate.openapi;

/**
 * A part of a response that does not match its schema.
 *
 * @param pointer the JSON pointer (RFC 6901); empty for the whole body
 * @param detail the message
 */
record Fault(String pointer, String detail) {

  private static final int MOST_ECHOED = 64;

  /** Returns the first characters of a text from a client, with an ellipsis if there are more. */
  static String beginning(String sent) {
    if (sent.length() <= MOST_ECHOED) {
      return sent;
    }
    boolean splits = Character.isHighSurrogate(sent.charAt(MOST_ECHOED - 1));
    return sent.substring(0, splits ? MOST_ECHOED - 1 : MOST_ECHOED) + "\u2026";
  }

  @Override
  public String toString() {
    return (pointer.isEmpty() ? "the body" : pointer) + ": " + detail;
  }
}
