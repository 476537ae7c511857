package dev.percolate.core.store;

import dev.percolate.http.HttpError;
import org.jspecify.annotations.Nullable;

/**
 * The 503 error of a request whose store is unavailable, or has returned invalid data. Its type is
 * {@code store.unavailable}. Its field {@code retryAfter} and the header {@code Retry-After} of the
 * response contain the seconds after which clients should retry.
 *
 * <p>It has no stack trace, because the handler is not the cause. The code that throws it also logs
 * a warning, so the default response logs nothing more in production.
 */
public final class StoreUnavailableException extends HttpError {

  /** The {@link #type} of this error. */
  public static final String TYPE = "store.unavailable";

  /** The number of seconds after which clients should retry. */
  public static final int RETRY_AFTER = 1;

  private static final long serialVersionUID = 1L;

  /**
   * Creates an error.
   *
   * @param what the store, such as {@code the session store}
   * @param cause the cause; null if there is none
   */
  public StoreUnavailableException(String what, @Nullable Throwable cause) {
    super(503, what + " is not available", TYPE, cause);
    Object ignored = with("retryAfter", RETRY_AFTER);
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // does nothing
  public Throwable fillInStackTrace() {
    return this;
  }
}
