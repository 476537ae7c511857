package dev.percolate.nio;

import dev.percolate.http.ContentLength;
import dev.percolate.http.HeaderText;
import dev.percolate.http.Headers;

/** Finds the length of a request body from the headers (RFC 9112 section 6.3). */
final class Framing {

  /** The request has no body. */
  static final long NONE = -1;

  /** The body is sent in chunks. */
  static final long CHUNKED = -2;

  /** The length is ambiguous; the request must be rejected. */
  static final long DOUBTFUL = -3;

  private Framing() {}

  /**
   * Returns true if a list of codings is valid, ends in {@code chunked} and does not contain it
   * elsewhere. Otherwise the end of the body is ambiguous.
   */
  private static boolean endsInChunks(String codings) {
    String[] all = codings.split(",", -1);
    for (int i = 0; i < all.length; i++) {
      String coding = all[i].strip();
      boolean last = i == all.length - 1;
      if (!HeaderText.isToken(coding) || coding.equalsIgnoreCase("chunked") != last) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the length of the body, or one of the constants.
   *
   * @param version {@code 1.0} or {@code 1.1}
   * @param headers the headers of the request; codings other than {@code chunked} are ignored
   */
  static long of(String version, Headers headers) {
    long length = NONE;
    int lengths = 0;
    int codings = 0;
    for (int i = 0; i < headers.size(); i++) {
      String name = headers.name(i);
      if (name.length() == 14 && name.equalsIgnoreCase("Content-Length")) {
        lengths++;
        length = ContentLength.parse(headers.value(i));
      } else if (name.length() == 17 && name.equalsIgnoreCase("Transfer-Encoding")) {
        codings += endsInChunks(headers.value(i)) ? 1 : 2;
      }
    }
    if (lengths + codings > 1 || (codings == 1 && version.equals("1.0"))) {
      return DOUBTFUL;
    }
    if (codings == 1) {
      return CHUNKED;
    }
    return lengths == 0 || (length >= 0 && length < Long.MAX_VALUE) ? length : DOUBTFUL;
  }
}
