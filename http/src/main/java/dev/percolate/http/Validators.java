package dev.percolate.http;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the preconditions of a request are compared with (RFC 9110 section 8.8).
 *
 * @param present whether the resource has a current representation
 * @param etag its entity tag; null if it has none
 * @param lastModified when it was modified last, in milliseconds since 1970-01-01T00:00:00Z, whole
 *     seconds; null if that is unknown
 */
public record Validators(boolean present, @Nullable String etag, @Nullable Long lastModified) {

  /** The validators of a resource that does not exist yet, or no longer. */
  public static final Validators ABSENT = new Validators(false, null, null);

  /**
   * Returns the validators of a representation.
   *
   * @param etag its entity tag; null if it has none
   * @param lastModified when it was modified last; null if that is unknown
   */
  public static Validators of(@Nullable String etag, @Nullable Instant lastModified) {
    return new Validators(
        true, etag, lastModified == null ? null : lastModified.getEpochSecond() * 1000);
  }

  /**
   * Returns the validators in the headers of a response.
   *
   * @param response the headers of a successful response
   */
  public static Validators of(Headers response) {
    return new Validators(
        true, response.get("ETag"), HttpDate.parse(response.get("Last-Modified")));
  }
}
