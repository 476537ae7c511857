package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/**
 * The rules for conditional requests, ranges, and the headers of 304 and of errors; the setting
 * {@code conditional requests}.
 */
public enum ConditionalRequests {

  /** The rules of RFC 9110 and RFC 9111. */
  STANDARD,

  /** The rules of Express 3. */
  EXPRESS;

  /** What the preconditions of a request make of its response. */
  public enum Outcome {

    /** The response is sent as it is. */
    SEND,

    /** The response becomes 304: the client has this version. */
    NOT_MODIFIED,

    /** The response becomes 412: the client expects another version. */
    FAILED
  }

  /**
   * Reads a value of the setting.
   *
   * @param setting {@code standard} (or null) or {@code express}
   * @return the rules
   * @throws IllegalArgumentException for any other value
   */
  public static ConditionalRequests of(@Nullable Object setting) {
    if (setting == null || setting.equals("standard")) {
      return STANDARD;
    } else if (setting.equals("express")) {
      return EXPRESS;
    }
    throw new IllegalArgumentException(
        "set(\"conditional requests\", " + setting + "): neither standard nor express");
  }

  /**
   * Evaluates the preconditions of a request. Only responses to GET and HEAD depend on them here:
   * another method has had its effects by the time that its response is known.
   *
   * @param method the method of the request
   * @param status the status of the response so far
   * @param request the headers of the request
   * @param response the headers of the response so far
   * @return what becomes of the response
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
   * @param size the number of units there are
   * @return as {@link Range#parse}; by the rules of Express one bad range makes all unsatisfiable,
   *     and a suffix longer than the size is a bad range
   */
  public @Nullable Range range(@Nullable String header, long size) {
    return this == EXPRESS ? Range.parseAsExpress(header, size) : Range.parse(header, size);
  }
}
