package dev.percolate.demo;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;

/** Tells browsers what no page of ours needs: foreign or inline scripts, styles and frames. */
final class SecurityHeaders implements Middleware {

  private static final String POLICY =
      "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

  @Override
  public void handle(Request req, Response res, Next next) {
    res.set("Content-Security-Policy", POLICY);
    res.set("Referrer-Policy", "same-origin");
    res.set("X-Content-Type-Options", "nosniff");
    next.run();
  }
}
