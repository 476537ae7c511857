package dev.percolate.http;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The validators of a resource, which preconditions are compared with (RFC 9110 section 8.8).
 *
 * @param present whether the resource has a current representation
 * @param etag its entity tag; null if it has none
 * @param lastModified the time of its last modification, in milliseconds since
 *     1970-01-01T00:00:00Z, rounded down to seconds; null if unknown
 */
public record Validators(boolean present, @Nullable String etag, @Nullable Long lastModified) {

  /** The validators of a resource that does not exist. */
  public static final Validators ABSENT = new Validators(false, null, null);

  /**
   * Returns the validators of a representation.
   *
   * @param etag its entity tag; null if it has none
   * @param lastModified the time of its last modification; null if unknown
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
