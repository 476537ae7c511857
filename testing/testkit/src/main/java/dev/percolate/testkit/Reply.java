package dev.percolate.testkit;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.TypeRef;
import dev.percolate.http.Headers;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response as the client received it. */
public final class Reply {

  private final int status;
  private final Headers headers;
  private final byte[] body;
  private final boolean complete;
  private final boolean aborted;

  Reply(int status, Headers headers, byte[] body, boolean complete, boolean aborted) {
    this.status = status;
    this.headers = headers;
    this.body = body;
    this.complete = complete;
    this.aborted = aborted;
  }

  /**
   * Returns the status code; 0 if the connection was closed before the response.
   *
   * @return the status code
   */
  public int status() {
    return status;
  }

  /**
   * Returns the first value of a header.
   *
   * @param name the name, in any letter case
   * @return the value; null if the header is absent
   */
  public @Nullable String header(String name) {
    return headers.get(name);
  }

  /**
   * Returns all values of a header.
   *
   * @param name the name, in any letter case
   * @return the values, in order
   */
  public List<String> all(String name) {
    return headers.all(name);
  }

  /**
   * Returns the headers in order, with their names as sent.
   *
   * @return the headers
   */
  public Headers headers() {
    return headers;
  }

  /**
   * Returns the body, decoded from UTF-8.
   *
   * @return the body
   */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /**
   * Converts the JSON body to a type. Uses the JSON codec on the class path, such as the one of
   * {@code percolate-json}.
   *
   * @param type the type of the result
   * @param <T> the type of the result
   * @return the value
   * @throws AssertionError if the body is invalid JSON, does not match the type, or is null; the
   *     message contains the response
   */
  public <T> T json(Class<T> type) {
    return type.cast(json((Type) type));
  }

  /**
   * Converts the JSON body to a generic type; see {@link #json(Class)}.
   *
   * @param type the type of the result, such as {@code new TypeRef<List<User>>() {}}
   * @param <T> the type of the result
   * @return the value
   */
  @SuppressWarnings("unchecked") // the codec has converted it to this type
  public <T> T json(TypeRef<T> type) {
    return (T) json(type.type());
  }

  private Object json(Type type) {
    try {
      Object value = JsonCodec.find().read(text(), type);
      if (value != null) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      throw new AssertionError("body is not JSON of " + type.getTypeName() + ": " + this, e);
    }
    throw new AssertionError("body is null, not JSON of " + type.getTypeName() + ": " + this);
  }

  /**
   * Returns the body, without the framing of chunks.
   *
   * @return a copy of the body
   */
  public byte[] bytes() {
    return body.clone();
  }

  /**
   * Returns true if the complete response arrived.
   *
   * @return false if the connection was closed before the end, or the response is in progress
   */
  public boolean complete() {
    return complete;
  }

  /**
   * Returns true if the connection was closed before the end of the response.
   *
   * @return false if the complete response arrived, or the response is in progress
   */
  public boolean aborted() {
    return aborted;
  }

  /** Returns the status code, headers and body, for the messages of failed tests. */
  @Override
  public String toString() {
    String state = aborted ? " (aborted)" : complete ? "" : " (in progress)";
    return status + state + "\n" + headers + "\n" + text();
  }
}
