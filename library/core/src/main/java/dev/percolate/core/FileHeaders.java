package dev.percolate.core;

import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.ContentType;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import dev.percolate.http.HttpError;
import dev.percolate.http.Preconditions;
import java.util.Locale;

/** Sets the headers of a file, and checks whether the client already has the file. */
final class FileHeaders {

  private FileHeaders() {}

  /** Sets the headers that are not set yet, after the hook has set its own. */
  static void set(FileResponse res, FoundFile file, FileOptions options) {
    if (options.hook != null) {
      options.hook.set(res.headers(), file.path(), file.attributes());
    }
    if (!options.precompressed.isEmpty()) {
      res.vary("Accept-Encoding");
    }
    Headers headers = res.headers();
    if (file.coding() != null) {
      headers.set("Content-Encoding", file.coding());
    }
    setDefault(headers, "Accept-Ranges", "bytes");
    String immutable = options.immutable ? ", immutable" : "";
    setDefault(headers, "Cache-Control", "public, max-age=" + options.maxAge / 1000 + immutable);
    long modified = file.attributes().lastModifiedTime().toMillis();
    if (options.lastModified) {
      long known = Math.min(modified, System.currentTimeMillis()); // RFC 9110 section 8.8.2.1
      setDefault(headers, "Last-Modified", HttpDate.format(known));
    }
    if (options.etag) {
      setDefault(headers, "ETag", file.content().tag(file.attributes()));
    }
    setDefault(headers, "Content-Type", type(res, file.path().toString()));
  }

  /**
   * Changes the response to a 304 if the client already has the file (RFC 9110 section 13).
   *
   * @throws HttpError 412 if the client expects another version
   */
  static boolean notModified(FileResponse res) {
    if (!Preconditions.isConditional(res.received())) {
      return false;
    }
    ConditionalRequests rules = res.settings().conditionalRequests();
    boolean express = rules == ConditionalRequests.EXPRESS;
    String method = express ? "GET" : res.method(); // Express ignores the method
    ConditionalRequests.Outcome outcome =
        rules.evaluate(method, res.status(), res.received(), res.headers());
    if (outcome == ConditionalRequests.Outcome.FAILED) {
      throw new HttpError(412);
    }
    boolean notModified = outcome == ConditionalRequests.Outcome.NOT_MODIFIED;
    if (notModified) {
      res.status(304);
      Headers headers = res.headers();
      if (express) {
        headers.copy().forEach((name, value) -> removeContent(headers, name));
      }
    }
    return notModified;
  }

  /**
   * Removes the headers about ranges and caching. Those of the content have already been removed.
   */
  static void remove(FileResponse res) {
    res.forget("Accept-Ranges", "Cache-Control", "Content-Range", "Last-Modified");
  }

  private static void removeContent(Headers headers, String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.startsWith("content-") && !lower.equals("content-location")) {
      headers.remove(name);
    }
  }

  private static String type(FileResponse res, String path) {
    String type = res.settings().mimeTypes().contentType(path);
    String charset = res.charset();
    boolean named = charset == null || charset.isEmpty() || ContentType.hasCharset(type);
    return named ? type : type + "; charset=" + charset;
  }

  private static void setDefault(Headers headers, String name, String value) {
    if (!headers.contains(name)) {
      headers.set(name, value);
    }
  }
}
