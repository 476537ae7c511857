package dev.percolate.core;

import dev.percolate.http.Headers;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Sends a whole body at once: length, entity tag, 304, HEAD. */
final class Sending {

  private Sending() {}

  /**
   * Answers with a body.
   *
   * @param bytes the body
   * @param body the same for the ETag function: a text or the bytes
   * @param type the type to set; null leaves it as it is
   * @param fallbackType the type to set where none is; null for none
   */
  static void bytes(
      Response res,
      byte[] bytes,
      Object body,
      @Nullable String type,
      @Nullable String fallbackType) {
    res.answer().claim();
    try {
      Headers headers = res.headers();
      if (type != null) {
        headers.set("Content-Type", type);
      } else if (fallbackType != null && !headers.contains("Content-Type")) {
        headers.set("Content-Type", fallbackType);
      }
      if (!headers.contains("Content-Length")) {
        headers.set("Content-Length", Integer.toString(bytes.length));
        tag(res, body);
      }
      if (res.req().fresh()) {
        res.status(304);
      }
      if (res.status() == 204 || res.status() == 304) {
        headers.remove("Content-Type").remove("Content-Length").remove("Transfer-Encoding");
      }
    } catch (Throwable e) {
      res.release();
      throw e;
    }
    res.start(true);
    res.answer().end(ByteBuffer.wrap(bytes));
  }

  private static void tag(Response res, Object body) {
    if (!res.headers().contains("ETag")) {
      ETagFunction etag = res.req().settings().derived("etag", ETagFunction::of);
      String tag = etag.tag(body, body instanceof String ? "utf8" : null);
      if (tag != null) {
        res.headers().set("ETag", tag);
      }
    }
  }
}
