package dev.percolate.reliability.differential;

import java.util.List;
import java.util.Locale;

/**
 * One request as read by a reader.
 *
 * @param method the method
 * @param target the target, undecoded
 * @param headers the headers in order, each as {@code name: value}, the name in lower case
 * @param body the received part of its body, one character for each byte
 * @param isWhole whether the body is complete
 */
public record Message(
    String method, String target, List<String> headers, String body, boolean isWhole) {

  /** Returns a header in the format of a message. */
  public static String header(String name, String value) {
    return name.toLowerCase(Locale.ROOT) + ": " + value;
  }

  /** Returns true if another message has the same head. */
  boolean hasHeadOf(Message other) {
    return method.equals(other.method)
        && target.equals(other.target)
        && headers.equals(other.headers);
  }
}
