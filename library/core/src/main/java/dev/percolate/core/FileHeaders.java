package dev.percolate.core;

import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.ContentType;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import dev.percolate.http.HttpError;
import dev.percolate.http.Preconditions;
import dev.percolate.http.Range;
import dev.percolate.http.Validators;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a request for a file and of its response: sets those of the file, and reads
 * conditions and ranges.
 *
 * @param rules the rules for conditions and ranges
 * @param method the method of the request
 * @param received the headers of the request
 * @param sent the headers of the response
 */
record FileHeaders(ConditionalRequests rules, String method, Headers received, Headers sent) {

  /** The headers about ranges and caching. */
  static final String[] NAMES = {
    "Accept-Ranges", "Cache-Control", "Content-Range", "Last-Modified"
  };

  /**
   * Sets the headers that are not set yet.
   *
   * @param type the content type
   * @param charset the charset for types without one; null for none
   */
  void describe(FoundFile file, FileOptions options, String type, @Nullable String charset) {
    if (file.coding() != null) {
      sent.set("Content-Encoding", file.coding());
    }
    setDefault("Accept-Ranges", "bytes");
    String immutable = options.immutable ? ", immutable" : "";
    setDefault("Cache-Control", "public, max-age=" + options.maxAge / 1000 + immutable);
    long modified = file.attributes().lastModifiedTime().toMillis();
    if (options.lastModified) {
      long known = Math.min(modified, System.currentTimeMillis()); // RFC 9110 section 8.8.2.1
      setDefault("Last-Modified", HttpDate.format(known));
    }
    if (options.etag) {
      setDefault("ETag", file.content().tag(file.attributes()));
    }
    boolean named = charset == null || charset.isEmpty() || ContentType.hasCharset(type);
    setDefault("Content-Type", named ? type : type + "; charset=" + charset);
  }

  /**
   * Returns true if the client already has the file (RFC 9110 section 13).
   *
   * @param status the status code of the response so far
   * @throws HttpError 412 if the client expects another version
   */
  boolean notModified(int status) {
    if (!Preconditions.isConditional(received)) {
      return false;
    }
    // Express ignores the method.
    ConditionalRequests.Outcome outcome =
        rules.evaluate(isExpress() ? "GET" : method, status, received, sent);
    if (outcome == ConditionalRequests.Outcome.FAILED
        && !(method.equals("GET") && Preconditions.resumes(received, Validators.of(sent)))) {
      throw new HttpError(412);
    }
    boolean notModified = outcome == ConditionalRequests.Outcome.NOT_MODIFIED;
    if (notModified && isExpress()) {
      sent.copy().forEach((name, value) -> removeContent(name));
    }
    return notModified;
  }

  /**
   * Returns the range that the client requests (RFC 9110 section 14), and sets {@code
   * Content-Range}. A client that requests several ranges gets the whole part.
   *
   * @param whole the part of the file that the options select
   * @param status the status code of the response so far
   * @param size the size of the whole file
   * @return the part to send; null for the whole part
   * @throws HttpError 416 if the range is outside of the file
   */
  FileContent.@Nullable FileRange range(FileContent.FileRange whole, int status, long size) {
    if (!received.contains("Range") || !(isExpress() ? applies() : appliesByStandard(status))) {
      return null;
    }
    long length = whole.length();
    Range range = rules.range(HeaderValue.of(received, "Range"), length);
    if (range == null || !(isExpress() || range.unit().equalsIgnoreCase("bytes"))) {
      return null;
    }
    if (range.code() == Range.UNSATISFIABLE) {
      sent.set("Content-Range", "bytes */" + (isExpress() ? size : length));
      throw new HttpError(416);
    }
    if (range.parts().size() != 1) {
      return null;
    }
    Range.Part part = range.parts().get(0);
    sent.set("Content-Range", "bytes " + part.start() + "-" + part.end() + "/" + length);
    return new FileContent.FileRange(whole.offset() + part.start(), part.end() - part.start() + 1);
  }

  private boolean isExpress() {
    return rules == ConditionalRequests.EXPRESS;
  }

  /**
   * Returns true if {@code Range} applies: a GET request, a file sent with 200, a matching {@code
   * If-Range}.
   */
  private boolean appliesByStandard(int status) {
    return method.equals("GET")
        && status == 200
        && received.all("Range").size() == 1
        && Preconditions.rangeApplies(received, Validators.of(sent));
  }

  /** Returns true if the file matches {@code If-Range}, by the rules of Express. */
  private boolean applies() {
    String condition = HeaderValue.of(received, "If-Range");
    if (condition == null || condition.isEmpty()) {
      return true;
    }
    if (condition.indexOf('"') >= 0) {
      String etag = sent.get("ETag");
      return etag != null && condition.contains(etag);
    }
    Long modified = HttpDate.parse(sent.get("Last-Modified"));
    Long known = HttpDate.parse(condition);
    return modified != null && known != null && modified <= known;
  }

  private void removeContent(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith("content-") && !lower.equals("content-location")) {
      sent.remove(name);
    }
  }

  private void setDefault(String name, String value) {
    if (!sent.contains(name)) {
      sent.set(name, value);
    }
  }
}
