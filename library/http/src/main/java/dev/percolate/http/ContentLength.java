package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Reads the header {@code Content-Length} (RFC 9110 section 8.6). */
public final class ContentLength {

  private static final int MOST_DIGITS = 18;

  private ContentLength() {}

  /**
   * Parses the header of a request: digits, with optional white space around them.
   *
   * @param header the value; null if the header is absent
   * @return the length; {@link Long#MAX_VALUE} for more than 18 digits; -1 if the header is absent
   *     or invalid
   */
  public static long parse(@Nullable String header) {
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

  /**
   * Parses the header of a response that is about to be sent.
   *
   * @param header the value: digits only
   * @return the length
   * @throws NumberFormatException if the value is invalid or exceeds a {@code long}
   */
  public static long exact(String header) {
    if (!isNumber(header)) { // rejects a sign, which parseLong accepts
      throw new NumberFormatException(
          "Content-Length \"" + header + "\" must be a number of bytes");
    }
    return Long.parseLong(header);
  }

  /**
   * Returns the length in the headers of a response.
   *
   * @param headers the headers of the response
   * @return the length; -1 if the header is absent
   * @throws IllegalStateException if the header is set twice
   * @throws NumberFormatException if the value is invalid or exceeds a {@code long}
   */
  public static long announced(Headers headers) {
    long length = -1;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i).equalsIgnoreCase("Content-Length")) {
        if (length >= 0) {
          throw new IllegalStateException("Content-Length must be set once, was set twice");
        }
        length = exact(headers.value(i));
      }
    }
    return length;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty() && Ascii.skipDigits(text, 0) == text.length();
  }
}
