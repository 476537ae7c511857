package dev.percolate.engine;

import dev.percolate.http.Headers;

/** What an engine answers with if it refuses a request before any step. */
public final class Refusal {

  private Refusal() {}

  /**
   * Gives the headers of an answer without a body that ends its connection; with 503 it says when
   * to come again, after a second.
   *
   * @param status the status of that answer
   * @return the headers, the caller's to add to
   */
  public static Headers headers(int status) {
    Headers headers = Headers.of("Content-Length", "0", "Connection", "close");
    return status == 503 ? headers.set("Retry-After", "1") : headers;
  }
}
