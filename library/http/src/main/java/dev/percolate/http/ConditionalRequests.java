package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/**
 * The rules for conditional requests, ranges, and the headers of 304 and error responses; the
 * setting {@code conditional requests}.
 */
public enum ConditionalRequests {

  /** The rules of RFC 9110 and RFC 9111. */
  STANDARD,

  /** The rules of Express 3. */
  EXPRESS;

  /** The outcome of evaluating the preconditions of a request. */
  public enum Outcome {

    /** The response is sent unchanged. */
    SEND,

    /** The response becomes 304: the client has this version. */
    NOT_MODIFIED,

    /** The response becomes 412: the client expects another version. */
    FAILED
  }

  /**
   * Returns the rules for a value of the setting.
   *
   * @param setting {@code standard} (or null) or {@code express}
   * @return the rules
   * @throws IllegalArgumentException for any other value
   */
  public static ConditionalRequests of(@Nullable Object setting) {
    return SettingValue.of("conditional requests", setting, values());
  }

  /**
   * Evaluates the preconditions of a request. Only GET and HEAD are evaluated here: other methods
   * have already had their effects when the response is known.
   *
   * @param method the method of the request
   * @param status the status code of the response so far
   * @param request the headers of the request
   * @param response the headers of the response so far
   * @return the outcome
   */
  public Outcome evaluate(String method, int status, Headers request, Headers response) {
    boolean successful = status >= 200 && status < 300;
    if (!Preconditions.isRead(method) || !(successful || status == 304)) {
      return Outcome.SEND;
    }
    if (this == EXPRESS) {
      boolean fresh = Fresh.isFresh(request, response.get("ETag"), response.get("Last-Modified"));
      return fresh ? Outcome.NOT_MODIFIED : Outcome.SEND;
    }
    Validators current = Validators.of(response);
    if (successful && Preconditions.fail(request, current)) {
      return Outcome.FAILED;
    }
    return Preconditions.unchanged(request, current) ? Outcome.NOT_MODIFIED : Outcome.SEND;
  }

  /**
   * Parses a Range header.
   *
   * @param header the value of the header, or null
   * @param size the total number of units, such as bytes
   * @return the result of {@link Range#parse}. With {@link #EXPRESS}, one invalid range makes all
   *     ranges unsatisfiable, and a suffix longer than the size is invalid
   */
  public @Nullable Range range(@Nullable String header, long size) {
    return this == EXPRESS ? Range.parseAsExpress(header, size) : Range.parse(header, size);
  }
}
