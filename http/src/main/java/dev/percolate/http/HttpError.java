package dev.percolate.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request with a status: thrown, or passed to {@code next.fail}.
 *
 * <p>Unless an error handler takes it, the default answer has its {@link #status}, and in
 * production nothing else of it. It says whether an error handler may show its message to the
 * client ({@link #expose}, true below 500) and may carry a {@link #type} for programs to look at,
 * such as {@code entity.too.large}, and further fields. Errors that are the client's fault (below
 * 500) carry no stack trace: they are cheap, and there is nothing in it to find.
 */
public class HttpError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final boolean expose;
  private final @Nullable String type;
  private final transient Map<String, Object> fields = new LinkedHashMap<>();

  /**
   * Creates an error with the standard phrase of its status as its message.
   *
   * @param status 400 to 599
   */
  public HttpError(int status) {
    this(status, Status.phrase(status));
  }

  /**
   * Creates an error with a message.
   *
   * @param status 400 to 599
   * @param message what went wrong; below 500 error handlers may show it to the client
   */
  public HttpError(int status, String message) {
    this(status, message, null, null);
  }

  /**
   * Creates an error with a type and a cause.
   *
   * @param status 400 to 599
   * @param message what went wrong; below 500 error handlers may show it to the client
   * @param type the kind of error, for programs; null for none
   * @param cause what led to it; null for none
   * @throws IllegalArgumentException if the status is none of an error
   */
  public HttpError(
      int status, @Nullable String message, @Nullable String type, @Nullable Throwable cause) {
    super(message, cause, true, status >= 500);
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("HttpError(" + status + "): not the status of an error");
    }
    this.status = status;
    this.expose = status < 500;
    this.type = type;
  }

  /** Returns the status of the answer, 400 to 599. */
  public int status() {
    return status;
  }

  /** Tells whether the message may be shown to the client. */
  public boolean expose() {
    return expose;
  }

  /** Returns the kind of error, or null. */
  public @Nullable String type() {
    return type;
  }

  /**
   * Returns a further field.
   *
   * @param name its name, such as {@code limit}
   * @return its value, or null
   */
  public @Nullable Object field(String name) {
    return fields.get(name);
  }

  /** Returns all further fields, for reading. */
  public Map<String, Object> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /**
   * Adds a further field, before the error is thrown.
   *
   * @param name its name
   * @param value its value; null leaves the field absent
   * @return this error
   */
  public HttpError with(String name, @Nullable Object value) {
    if (value != null) {
      fields.put(name, value);
    }
    return this;
  }
}
