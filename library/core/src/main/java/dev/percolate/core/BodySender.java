package dev.percolate.core;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.Accept;
import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import dev.percolate.http.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends a response body: sets type, length and entity tag, and handles 304 and HEAD.
 *
 * <p>The body may be a file:
 *
 * <pre>
 *   FilePath     decode, root, hidden names                400 403 404
 *   FoundFile    index, extensions, open                   404 500, or a directory
 *   FileHeaders  hook, headers, conditions, Range          304 412 206 416
 * </pre>
 */
final class BodySender {

  private static final String BYTES = "application/octet-stream";
  private static final int PIECE = 16 << 10;

  private BodySender() {}

  /**
   * Sends a response with a body.
   *
   * @param bytes the body
   * @param body the body for the ETag function: a string, or the bytes
   * @param type the content type to set; null keeps the current type, or sets the default for bytes
   */
  static void bytes(Response res, byte[] bytes, Object body, @Nullable String type) {
    boolean sends =
        claims(
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
                tag(res, bytes, body);
              }
            });
    if (sends) {
      res.start(bytes.length);
      res.answer().end(ByteBuffer.wrap(bytes));
    }
  }

  /**
   * Sends a response without a body. Unlike an empty body it has no entity tag, and the engine sets
   * its length.
   */
  static void nothing(Response res, @Nullable String type) {
    if (claims(res, () -> fallbackType(res, type))) {
      res.start(0);
      res.answer().end(ByteBuffer.allocate(0));
    }
  }

  /** Sends a response with the content of a stream, and closes the stream. */
  static void stream(Response res, InputStream stream) {
    try (stream) {
      byte[] buffer = new byte[PIECE];
      // Read before sending: if the stream cannot be read, the client gets an error page.
      int size = res.hasBody() ? stream.read(buffer) : -1;
      if (!claims(res, () -> fallbackType(res, BYTES))) {
        return;
      }
      res.start(-1, Math.max(0, size));
      boolean body = res.hasBody(); // it may have become a 304
      while (body && size >= 0) {
        res.write(Arrays.copyOf(buffer, size));
        size = stream.read(buffer);
      }
      res.end();
    } catch (ClientDisconnectedException e) {
      res.cut(); // the client disconnected, or a filter failed; the onFinish hooks still run
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a file of the application, or throws an error. */
  static void file(Response res, Path path, FileOptions chosen) {
    FileOptions options = chosen.under(res.req().settings());
    FoundFile file;
    try {
      file = FoundFile.find(FilePath.of(path, options), options, wanted(res, options));
    } catch (HttpError e) {
      throw undescribed(e, res);
    }
    HttpError error =
        file == null ? undescribed(new HttpError(404), res) : file(res, file, options);
    if (error != null) {
      throw error;
    }
  }

  /**
   * Sends the file that a path from outside refers to. Calls {@code next} with an error, or if the
   * path is a directory.
   */
  static void file(Response res, String path, FileOptions chosen, Next next) {
    FileOptions options = chosen.under(res.req().settings());
    FoundFile file;
    try {
      FilePath place = FilePath.decode(path, options, res.req().normalised());
      file = FoundFile.find(place, options, wanted(res, options));
    } catch (HttpError e) {
      next.fail(undescribed(e, res));
      return;
    }
    if (file == null) {
      next.run();
      return;
    }
    HttpError error = file(res, file, options);
    if (error != null) {
      next.fail(error);
    }
  }

  /**
   * Sends a file and closes it.
   *
   * @return null; or 412 if the client expects another version, 416 if the range is outside of the
   *     file. Then the response remains open
   */
  private static @Nullable HttpError file(Response res, FoundFile file, FileOptions options) {
    boolean given = false;
    try {
      res.answer().claim();
      describe(res, file, options);
      FileContent.FileRange part;
      try {
        part = part(res, file, options);
      } catch (HttpError e) {
        reopen(res, file, e.status());
        return undescribed(e, res);
      }
      startFile(res, part.length());
      if (res.hasBody() && part.length() > 0) {
        given = true;
        res.answer().send(file.content(), part);
      } else {
        res.answer().end(ByteBuffer.allocate(0));
      }
      return null;
    } finally {
      if (!given) {
        file.close();
      }
    }
  }

  /** Sets the headers of a file, after the hook has set its own. */
  private static void describe(Response res, FoundFile file, FileOptions options) {
    try {
      if (options.hook != null) {
        options.hook.set(res.headers(), file.path(), file.attributes());
      }
      if (!options.precompressed.isEmpty()) {
        res.vary("Accept-Encoding");
      }
      String type = res.req().settings().mimeTypes().contentType("/" + file.path());
      headers(res).describe(file, options, type, res.charset());
    } catch (Throwable e) {
      res.forget(FileHeaders.NAMES);
      res.release();
      throw e;
    }
  }

  /** Returns the part to send, by the conditions and the range of the request. */
  private static FileContent.FileRange part(Response res, FoundFile file, FileOptions options) {
    FileContent.FileRange part = FileContent.FileRange.of(file.size(), options);
    if (headers(res).notModified(res.status())) {
      res.status(304);
    } else {
      FileContent.FileRange range = headers(res).range(part, res.status(), file.size());
      if (range != null) {
        res.status(206);
        part = range;
      }
    }
    Headers headers = res.headers().remove("Transfer-Encoding").remove("Content-Length");
    if (Status.hasBody(res.status())) {
      headers.set("Content-Length", Long.toString(part.length()));
    }
    return part;
  }

  private static FileHeaders headers(Response res) {
    Request req = res.req();
    ConditionalRequests rules = req.settings().conditionalRequests();
    return new FileHeaders(rules, req.method(), req.headers(), res.headers());
  }

  private static void startFile(Response res, long length) {
    try {
      res.start(length);
    } catch (Throwable e) {
      res.forget(FileHeaders.NAMES); // the error page is not the file
      throw e;
    }
  }

  /** Reopens the response for an error, without the headers that describe the file. */
  private static void reopen(Response res, FoundFile file, int status) {
    if (res.req().settings().conditionalRequests() == ConditionalRequests.STANDARD) {
      res.forgetBody(status);
      res.forget("Content-Type");
    } else if (file.coding() != null) {
      res.forget("Content-Encoding");
    }
    res.answer().release();
  }

  /** Returns the extensions of compressed files that the client accepts, the best first. */
  private static List<String> wanted(Response res, FileOptions options) {
    boolean whole = options.start == 0 && options.end == Long.MAX_VALUE;
    if (options.precompressed.isEmpty() || !whole || res.headers().contains("Content-Encoding")) {
      return List.of();
    }
    List<String> codings = options.precompressed.stream().map(FileOptions::coding).toList();
    return Accept.codings(res.req().get("Accept-Encoding"), codings).stream()
        .map(coding -> options.precompressed.get(codings.indexOf(coding)))
        .toList();
  }

  /** Removes the header that describes the file, and returns the error. */
  private static HttpError undescribed(HttpError error, Response res) {
    res.forget("Content-Disposition");
    return error;
  }

  /**
   * Sends a default page. The calling thread has claimed the response.
   *
   * @param afresh whether a handler that was given up may still run. Then the page keeps only
   *     headers that do not describe a body, and ignores headers that the handler sets later
   */
  static void page(Response res, int code, RequestTrace.Page page, boolean afresh) {
    byte[] body = Utf8.bytes(page.text());
    try {
      startPage(res, code, page.type(), body.length, afresh);
    } catch (Throwable e) {
      res.req().appState().faultLog().unmade(e, res.req());
      if (!res.answer().tryClaim()) {
        return;
      }
      startPage(res, code, page.type(), body.length, afresh);
    }
    res.answer().end(ByteBuffer.wrap(body));
  }

  private static void startPage(Response res, int code, String type, int length, boolean afresh) {
    if (afresh) {
      res.startAfresh();
    } else {
      res.forgetBody(code);
    }
    Headers headers = res.status(code).headers();
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Type", type);
    headers.set("Content-Length", Integer.toString(length));
    if (ErrorResponse.pageType(res.req()) != null) {
      res.vary("Accept");
    }
    res.start(length);
  }

  /**
   * Claims the response and sets its headers. Releases the claim if that fails.
   *
   * @return false if the client expects another version. The error 412 then goes to {@code next} of
   *     the handler, because an exception could be lost in a callback
   * @throws HttpError 412 if the handler has already called {@code next}
   */
  private static boolean claims(Response res, Runnable describe) {
    res.answer().claim();
    ConditionalRequests.Outcome outcome;
    try {
      describe.run();
      outcome = res.req().preconditions();
      if (outcome == ConditionalRequests.Outcome.NOT_MODIFIED) {
        res.status(304);
      }
      // Hooks still see the headers of a body that a 304 replaces.
      if (!Status.hasBody(res.status()) && !res.reducesNotModified()) {
        Headers headers = res.headers();
        headers.remove("Content-Type").remove("Content-Length").remove("Transfer-Encoding");
      }
    } catch (Throwable e) {
      res.release();
      throw e;
    }
    if (outcome != ConditionalRequests.Outcome.FAILED) {
      return true;
    }
    res.release();
    HttpError error = new HttpError(412);
    CurrentHandler handler = res.req().dispatchState().current();
    if (handler == null || !handler.fails(error)) {
      throw error;
    }
    return false;
  }

  private static void fallbackType(Response res, @Nullable String type) {
    if (type != null && !res.headers().contains("Content-Type")) {
      res.type(type);
    }
  }

  private static void tag(Response res, byte[] bytes, Object body) {
    if (!res.headers().contains("ETag")) {
      String tag = res.req().settings().entityTags().tag(bytes, body);
      if (tag != null) {
        res.headers().set("ETag", tag);
      }
    }
  }
}
