package dev.percolate.parsers;

import dev.percolate.core.Request;
import org.jspecify.annotations.Nullable;

/** Tells from a request's headers, as they are now, whether it has a body and how long. */
final class Framing {

  private static final int MOST_DIGITS = 18;

  private Framing() {}

  /** Tells whether there is a body, be it an empty one. */
  static boolean hasBody(Request req) {
    if (length(req) >= 0 || req.headers().get("Transfer-Encoding") != null) {
      return true;
    }
    // HTTP/2 has no header for it. In HTTP/1 a step above may have taken the headers away.
    return !req.httpVersion().startsWith("1.") && req.hasBody();
  }

  /** Gives the Content-Length; -1 if it is absent or no number. */
  static long length(Request req) {
    @Nullable String header = req.get("Content-Length");
    String digits = header == null ? "" : header.strip();
    if (!isNumber(digits)) {
      return -1;
    }
    int zeros = 0;
    while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') {
      zeros++;
    }
    return digits.length() - zeros > MOST_DIGITS
        ? Long.MAX_VALUE
        : Long.parseLong(digits.substring(zeros));
  }

  private static boolean isNumber(String text) {
    int i = 0;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i > 0 && i == text.length();
  }
}
