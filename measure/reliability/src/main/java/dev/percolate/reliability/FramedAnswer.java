package dev.percolate.reliability;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer as a client has read it. */
final class FramedAnswer {

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  /**
   * Creates an answer.
   *
   * @param headers by their names in lower case
   */
  FramedAnswer(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  int status() {
    return status;
  }

  /** Returns a header by its name in lower case, or null. */
  @Nullable String header(String name) {
    return headers.get(name);
  }

  byte[] body() {
    return body;
  }

  /** Tells whether the connection ends behind it. */
  boolean isLast() {
    return "close".equalsIgnoreCase(headers.get("connection"));
  }
}
