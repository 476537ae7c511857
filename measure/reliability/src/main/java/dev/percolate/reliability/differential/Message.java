package dev.percolate.reliability.differential;

import java.util.List;
import java.util.Locale;

/**
 * One request as a reader has taken it from bytes.
 *
 * @param method the method
 * @param target the target, undecoded
 * @param headers the headers in order, each as {@code name: value}, the name in small letters
 * @param body what has come of its body, one character for each byte
 * @param isWhole whether the body is over
 */
public record Message(
    String method, String target, List<String> headers, String body, boolean isWhole) {

  /** Returns a header as messages hold it. */
  public static String header(String name, String value) {
    return name.toLowerCase(Locale.ROOT) + ": " + value;
  }

  /** Tells whether another reader has taken the same head. */
  boolean hasHeadOf(Message other) {
    return method.equals(other.method)
        && target.equals(other.target)
        && headers.equals(other.headers);
  }
}
