package dev.percolate.parsers;

import dev.percolate.core.Request;
import dev.percolate.http.ContentLength;

/** Tells from a request's headers, as they are now, whether it has a body and how long. */
final class Framing {

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
    return ContentLength.parse(req.get("Content-Length"));
  }
}
