package dev.percolate.core.store;

import dev.percolate.http.HttpError;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request since a store that it needs is away, or answers what makes no sense: 503. Its type
 * is {@code store.unavailable}, its field {@code retryAfter} says after how many seconds to ask
 * again, as the header {@code Retry-After} of the response does.
 *
 * <p>It has no stack trace and is no error of the step that it comes from; whoever throws it has
 * seen to a warning, so the default answer logs nothing more in production.
 */
public final class StoreUnavailable extends HttpError {

  /** The {@link #type}. */
  public static final String TYPE = "store.unavailable";

  /** The seconds that clients are told to wait. */
  public static final int RETRY_AFTER = 1;

  private static final long serialVersionUID = 1L;

  /**
   * Creates one.
   *
   * @param what the store, such as {@code the store of sessions}
   * @param cause why; null for no further reason
   */
  public StoreUnavailable(String what, @Nullable Throwable cause) {
    super(503, what + " is not available", TYPE, cause);
    Object ignored = with("retryAfter", RETRY_AFTER);
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // does nothing
  public Throwable fillInStackTrace() {
    return this;
  }
}
