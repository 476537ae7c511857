package dev.percolate.auth;

import dev.percolate.http.HttpError;
import org.jspecify.annotations.Nullable;

/**
 * The 401 error of an invalid token. Its type is {@code token.expired} or {@code token.invalid}.
 * The message may be shown to the client; the cause contains the details.
 */
public final class InvalidTokenException extends HttpError {

  /** The {@link #type} of a token that was valid earlier; the client needs a new one. */
  public static final String EXPIRED = "token.expired";

  /** The {@link #type} of any other invalid token. */
  public static final String INVALID = "token.invalid";

  private static final long serialVersionUID = 1L;

  private InvalidTokenException(String message, String type, @Nullable Throwable cause) {
    super(401, message, type, cause);
  }

  static InvalidTokenException invalid(@Nullable Throwable cause) {
    return new InvalidTokenException("The token is invalid", INVALID, cause);
  }

  static InvalidTokenException expired(Throwable cause) {
    return new InvalidTokenException("The token has expired", EXPIRED, cause);
  }
}
