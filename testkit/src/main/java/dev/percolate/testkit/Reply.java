package dev.percolate.testkit;

import dev.percolate.http.Headers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds an answer as the client got it. */
public final class Reply {

  private final int status;
  private final Headers headers;
  private final byte[] body;
  private final boolean complete;

  Reply(int status, Headers headers, byte[] body, boolean complete) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.complete = complete;
  }

  /**
   * Returns the status; 0 if the connection was closed before there was one.
   *
   * @return the status
   */
  public int status() {
    return status;
  }

  /**
   * Returns a header.
   *
   * @param name its name, in any case
   * @return its first value; null if it is absent
   */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /**
   * Returns all values of a header.
   *
   * @param name its name, in any case
   * @return its values, in order
   */
  public List<String> all(String name) {
    return headers.all(name);
  }

  /**
   * Returns the headers in order, with the names as sent.
   *
   * @return the headers
   */
  public Headers headers() {
    return headers;
  }

  /**
   * Returns the body as text in UTF-8.
   *
   * @return the body
   */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /**
   * Returns the body, freed of any framing.
   *
   * @return the body, a copy
   */
  public byte[] bytes() {
    return body.clone();
  }

  /**
   * Tells whether the answer arrived to its end.
   *
   * @return false if the connection was closed before
   */
  public boolean complete() {
    return complete;
  }

  /**
   * Tells whether the connection was closed before the end of the answer.
   *
   * @return false if the answer arrived to its end
   */
  public boolean aborted() {
    return !complete;
  }

  /** Returns status, headers and body, for the messages of failed tests. */
  @Override
  public String toString() {
    return status + (complete ? "\n" : " (aborted)\n") + headers + "\n" + text();
  }
}
