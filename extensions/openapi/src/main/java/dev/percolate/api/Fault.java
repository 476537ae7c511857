package dev.percolate.api;

/**
 * One thing in an answer that is not as its schema says.
 *
 * @param pointer where (RFC 6901); empty for the whole
 * @param detail what is wrong
 */
record Fault(String pointer, String detail) {

  private static final int MOST_ECHOED = 64;

  /** Returns the first characters of what a client has sent, and a sign if there are more. */
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
