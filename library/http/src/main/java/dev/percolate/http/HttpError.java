package dev.percolate.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request with an error status code. Throw it, or pass it to {@code next.fail}.
 *
 * <p>If no error handler handles it, the default response has its {@link #status} and, in
 * production, no other details. Error handlers may show its message to the client if {@link
 * #expose} is true, which is the case for status codes below 500. An error may have a {@link #type}
 * for programs, such as {@code entity.too.large}, and further fields. Client errors (below 500)
 * have no stack trace, which makes them cheap.
 */
public class HttpError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final boolean expose;
  private final @Nullable String type;
  private final transient Map<String, Object> fields = new LinkedHashMap<>();

  /**
   * Creates an error whose message is the reason phrase of its status code.
   *
   * @param status the status code, 400 to 599
   */
  public HttpError(int status) {
    this(status, Status.phrase(status));
  }

  /**
   * Creates an error with a message.
   *
   * @param status the status code, 400 to 599
   * @param message the message; below 500, error handlers may show it to the client
   */
  public HttpError(int status, String message) {
    this(status, message, null, null);
  }

  /**
   * Creates an error with a type and a cause.
   *
   * @param status the status code, 400 to 599
   * @param message the message; below 500, error handlers may show it to the client
   * @param type the type of error, for programs; null for none
   * @param cause the cause; null for none
   * @throws IllegalArgumentException if the status code is not 400 to 599
   */
  public HttpError(
      int status, @Nullable String message, @Nullable String type, @Nullable Throwable cause) {
    this(status, message, type, cause, status >= 500);
  }

  private HttpError(
      int status,
      @Nullable String message,
      @Nullable String type,
      @Nullable Throwable cause,
      boolean trace) {
    super(message, cause, true, trace);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("HttpError status must be 400 to 599, was " + status);
    }
    this.status = status;
    this.expose = status < 500;
    this.type = type;
  }

  /**
   * Creates a 503 error without a stack trace, for a server that is overloaded.
   *
   * @param message the message
   * @param type the type of error, for programs
   */
  public static HttpError overload(String message, String type) {
    return new HttpError(503, message, type, null, false);
  }

  /** Returns the status code of the response, 400 to 599. */
  public int status() {
    return status;
  }

  /** Returns true if the message may be shown to the client. */
  public boolean expose() {
    return expose;
  }

  /** Returns the type of error, or null. */
  public @Nullable String type() {
    return type;
  }

  /**
   * Returns a field.
   *
   * @param name the name of the field, such as {@code limit}
   * @return the value; null if the field is absent
   */
  public @Nullable Object field(String name) {
    return fields.get(name);
  }

  /** Returns an unmodifiable view of all fields. */
  public Map<String, Object> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /**
   * Adds a field. Call this before throwing the error.
   *
   * @param name the name of the field
   * @param value the value; null does not add the field
   * @return this error
   */
  public HttpError with(String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
    return this;
  }
}
