package dev.percolate.core;

import dev.percolate.http.Headers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Sends a body: type, length, entity tag, 304, HEAD. */
final class Sending {

  private static final String BYTES = "application/octet-stream";
  private static final int PIECE = 16 << 10;

  private Sending() {}

  /**
   * Answers with a body.
   *
   * @param bytes the body
   * @param body the same for the ETag function: a text or the bytes
   * @param type the type to set; null leaves it as it is, and bytes without one get theirs
   */
  static void bytes(Response res, byte[] bytes, Object body, @Nullable String type) {
    claim(
        res,
        () -> {
          Headers headers = res.headers();
          if (type != null) {
            headers.setUnchecked("Content-Type", type);
          } else if (body == bytes) {
            fallbackType(res, BYTES);
          }
          if (!headers.contains("Content-Length")) {
            headers.setUnchecked("Content-Length", Integer.toString(bytes.length));
            tag(res, body);
          }
        });
    res.start(bytes.length);
    res.answer().end(ByteBuffer.wrap(bytes));
  }

  /** Answers without a body; unlike an empty one it has no tag, and the engine says its length. */
  static void nothing(Response res, @Nullable String type) {
    claim(res, () -> fallbackType(res, type));
    res.start(0);
    res.answer().end(ByteBuffer.allocate(0));
  }

  /** Answers with what a stream gives, and closes it. */
  static void stream(Response res, InputStream stream) {
    try (stream) {
      byte[] buffer = new byte[PIECE];
      // Before anything is sent: a stream that cannot be read at all still gets its error page.
      int size = res.hasBody() ? stream.read(buffer) : -1;
      claim(res, () -> fallbackType(res, BYTES));
      res.start(-1);
      while (size >= 0 && res.hasBody()) {
        res.write(Arrays.copyOf(buffer, size));
        size = stream.read(buffer);
      }
      res.end();
    } catch (ClientGone e) {
      // Nobody is left to be answered; the hooks of onFinish are told.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Claims the answer and describes it; gives it up again if that fails. */
  private static void claim(Response res, Runnable describe) {
    res.answer().claim();
    try {
      describe.run();
      if (res.req().fresh()) {
        res.status(304);
      }
      if (res.status() == 204 || res.status() == 304) {
        Headers headers = res.headers();
        headers.remove("Content-Type").remove("Content-Length").remove("Transfer-Encoding");
      }
    } catch (Throwable e) {
      res.release();
      throw e;
    }
  }

  private static void fallbackType(Response res, @Nullable String type) {
    if (type != null && !res.headers().contains("Content-Type")) {
      res.type(type);
    }
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
