package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.core.Response;

/** Answers requests that are neither GET nor HEAD where there is nothing but reading. */
final class ReadOnly {

  private ReadOnly() {}

  /** Tells whether the method is one that reads; if not, the request has been answered. */
  static boolean allows(Request req, Response res) {
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
