package dev.percolate.reliability;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A response as read by a client. */
final class FramedResponse {

  private final int status;
  private final Map<String, String> headers;
  private final byte[] body;

  /**
   * Creates a response.
   *
   * @param headers the headers by lower-case name
   */
  FramedResponse(int status, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  int status() {
    return status;
  }

  /** Returns a header by its lower-case name, or null. */
  @Nullable String header(String name) {
    return headers.get(name);
  }

  byte[] body() {
    return body;
  }

  /** Returns true if the connection ends after this response. */
  boolean isLast() {
    return "close".equalsIgnoreCase(headers.get("connection"));
  }
}
