package dev.percolate.testkit;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.TypeRef;
import dev.percolate.http.Headers;
import java.lang.reflect.Type;
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
   * Reads the body as JSON, by the codec on the class path, such as that of {@code percolate-json}.
   *
   * @param type the type to read it to
   * @param <T> the type
   * @return the value
   * @throws AssertionError if the body is no JSON, does not fit the type or is null; it tells the
   *     whole answer
   */
  public <T> T json(Class<T> type) {
    return type.cast(json((Type) type));
  }

  /**
   * Reads the body as JSON; see {@link #json(Class)}.
   *
   * @param type the type to read it to, such as {@code new TypeRef<List<User>>() {}}
   * @param <T> the type
   * @return the value
   */
  @SuppressWarnings("unchecked") // the codec has read it to that type
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
      throw new AssertionError("no " + type.getTypeName() + " as JSON: " + this, e);
    }
    throw new AssertionError("no " + type.getTypeName() + " as JSON, but null: " + this);
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
