package dev.percolate.middleware.files;

import dev.percolate.core.Request;
import dev.percolate.core.Response;

/** Responds to requests whose method is neither GET nor HEAD, for read-only resources. */
public final class ReadOnly {

  private ReadOnly() {}

  /** Returns true if the method is GET or HEAD; otherwise sends the response. */
  public static boolean allows(Request req, Response res) {
    String method = req.method();
    if (method.equals("GET") || method.equals("HEAD")) {
      return true;
    }
    res.status(method.equals("OPTIONS") ? 200 : 405)
        .set("Allow", "GET, HEAD, OPTIONS")
        .set("Content-Length", "0")
        .end();
    return false;
  }
}
