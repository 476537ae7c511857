package dev.percolate.core;

import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import dev.percolate.http.HttpError;
import dev.percolate.http.Preconditions;
import dev.percolate.http.Range;
import dev.percolate.http.Validators;

/**
 * The part of a file to send.
 *
 * @param offset the index of its first byte
 * @param length its number of bytes
 */
record FileRange(long offset, long length) {

  /** Returns the part that the options select. */
  static FileRange of(long size, FileOptions options) {
    long start = Math.min(options.start, size);
    long end = Math.min(options.end, size - 1);
    return new FileRange(start, Math.max(0, end - start + 1));
  }

  /**
   * Selects the range that the client requests (RFC 9110 section 14), and sets the headers for it.
   * A client that requests several ranges gets the whole part.
   *
   * @param size the size of the whole file
   * @return the part to send
   * @throws HttpError 416 if the range is outside of the file
   */
  FileRange cut(FileResponse res, long size) {
    Headers received = res.received();
    if (!received.contains("Range")) {
      return this;
    }
    ConditionalRequests rules = res.settings().conditionalRequests();
    boolean express = rules == ConditionalRequests.EXPRESS;
    if (express ? !applies(res) : !appliesByStandard(res)) {
      return this;
    }
    Range range = rules.range(HeaderValue.of(received, "Range"), length);
    if (range == null || !(express || range.unit().equalsIgnoreCase("bytes"))) {
      return this;
    }
    if (range.code() == Range.UNSATISFIABLE) {
      res.headers().set("Content-Range", "bytes */" + (express ? size : length));
      throw new HttpError(416);
    }
    if (range.parts().size() != 1) {
      return this;
    }
    Range.Part part = range.parts().get(0);
    res.status(206);
    res.headers().set("Content-Range", "bytes " + part.start() + "-" + part.end() + "/" + length);
    return new FileRange(offset + part.start(), part.end() - part.start() + 1);
  }

  /**
   * Returns true if {@code Range} applies: a GET request, a file sent with 200, a matching {@code
   * If-Range}.
   */
  private static boolean appliesByStandard(FileResponse res) {
    return res.method().equals("GET")
        && res.status() == 200
        && res.received().all("Range").size() == 1
        && Preconditions.rangeApplies(res.received(), Validators.of(res.headers()));
  }

  /** Returns true if the file matches {@code If-Range}, by the rules of Express. */
  private static boolean applies(FileResponse res) {
    String condition = HeaderValue.of(res.received(), "If-Range");
    if (condition == null || condition.isEmpty()) {
      return true;
    }
    if (condition.indexOf('"') >= 0) {
      String etag = res.headers().get("ETag");
      return etag != null && condition.contains(etag);
    }
    Long modified = HttpDate.parse(res.headers().get("Last-Modified"));
    Long known = HttpDate.parse(condition);
    return modified != null && known != null && modified <= known;
  }
}
