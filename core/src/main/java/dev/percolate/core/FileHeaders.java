package dev.percolate.core;

import dev.percolate.http.ContentType;
import dev.percolate.http.Fresh;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpDate;
import java.util.Locale;

/** Sets the headers that tell of a file, and says when the client has it already. */
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
      setDefault(headers, "Last-Modified", HttpDate.format(modified));
    }
    if (options.etag) {
      setDefault(headers, "ETag", file.content().tag(file.attributes()));
    }
    setDefault(headers, "Content-Type", type(res, file.path().toString()));
  }

  /**
   * Turns the answer into a 304 where the client's copy is still good, whatever the method (RFC
   * 9110 section 13).
   */
  static boolean notModified(FileResponse res) {
    int status = res.status();
    boolean cachable = (status >= 200 && status < 300) || status == 304;
    Headers headers = res.headers();
    if (!cachable
        || !Fresh.isFresh(res.received(), headers.get("ETag"), headers.get("Last-Modified"))) {
      return false;
    }
    res.status(304);
    headers.copy().forEach((name, value) -> removeContent(headers, name));
    return true;
  }

  /** Removes what says how long, and by what, a file may be kept; what describes it has gone. */
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
