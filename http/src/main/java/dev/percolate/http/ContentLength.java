package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Reads the header {@code Content-Length} (RFC 9110 section 8.6). */
public final class ContentLength {

  private static final int MOST_DIGITS = 18;

  private ContentLength() {}

  /**
   * Reads the value of the header: digits alone, with white space around them.
   *
   * @param header the value; null if the header is absent
   * @return the number, {@link Long#MAX_VALUE} beyond 18 digits; -1 if it is absent or no number
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
   * Reads the value that an answer is about to be sent with.
   *
   * @param header the value: digits alone
   * @return the number
   * @throws NumberFormatException if it is none, or beyond a {@code long}
   */
  public static long exact(String header) {
    if (!isNumber(header)) { // also a sign, which parseLong takes
      throw new NumberFormatException("Content-Length \"" + header + "\": not a number of bytes");
    }
    return Long.parseLong(header);
  }

  /**
   * Reads the length that the head of a response announces.
   *
   * @param headers the headers of the response
   * @return the length; -1 if there is none
   * @throws IllegalStateException if the header is set twice
   * @throws NumberFormatException if the value is not a number of bytes
   */
  public static long announced(Headers headers) {
    long length = -1;
    for (int i = 0; i < headers.size(); i++) {
      if (headers.name(i).equalsIgnoreCase("Content-Length")) {
        if (length >= 0) {
          throw new IllegalStateException("Content-Length is set twice");
        }
        length = exact(headers.value(i));
      }
    }
    return length;
  }

  private static boolean isNumber(String text) {
    int i = 0;
    while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
      i++;
    }
    return i > 0 && i == text.length();
  }
}
