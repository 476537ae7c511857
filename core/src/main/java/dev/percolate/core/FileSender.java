package dev.percolate.core;

import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Sends one file as the answer to one request.
 *
 * <pre>
 *   FilePath     decode, stay below the root, hidden names   400 403 404
 *   FoundFile    index, extensions, open                     404 500, or a directory
 *   FileHeaders  hook, headers, conditions                   304
 *   FileRange    start and end, If-Range, Range              206 416
 * </pre>
 */
final class FileSender {

  private FileSender() {}

  /** Sends a file of the application's own, or throws why it cannot. */
  static void send(Path path, FileOptions chosen, Response res) {
    FileOptions options = chosen.under(res.req().settings());
    FoundFile file;
    try {
      file =
          FoundFile.find(FilePath.of(path, options), options, Precompressed.wanted(res, options));
    } catch (HttpError e) {
      throw undescribed(e, res);
    }
    if (file == null) {
      throw undescribed(new HttpError(404), res);
    }
    if (!send(file, options, res)) {
      throw undescribed(new HttpError(416), res);
    }
  }

  /** Sends the file that a path from outside means, or passes on: with an error, or a directory. */
  static void send(String path, FileOptions chosen, Response res, Next next) {
    FileOptions options = chosen.under(res.req().settings());
    FoundFile file;
    try {
      file =
          FoundFile.find(
              FilePath.decode(path, options, res.req()),
              options,
              Precompressed.wanted(res, options));
    } catch (HttpError e) {
      next.fail(undescribed(e, res));
      return;
    }
    if (file == null) {
      next.run();
    } else if (!send(file, options, res)) {
      next.fail(undescribed(new HttpError(416), res));
    }
  }

  /** Sends a file and closes it; or leaves the answer open, since it lacks the range asked for. */
  private static boolean send(FoundFile file, FileOptions options, Response res) {
    boolean given = false;
    try {
      res.answer().claim();
      FileRange part = describe(file, options, res);
      if (part == null) {
        if (file.coding() != null) {
          res.remove("Content-Encoding"); // the error page is not encoded
        }
        res.answer().release();
        return false;
      }
      start(part.length(), res);
      if (res.hasBody() && part.length() > 0) {
        given = true;
        res.answer().send(file.content(), part);
      } else {
        res.answer().end(ByteBuffer.allocate(0));
      }
      return true;
    } finally {
      if (!given) {
        file.close();
      }
    }
  }

  private static @Nullable FileRange describe(FoundFile file, FileOptions options, Response res) {
    try {
      FileHeaders.set(res, file, options);
      FileRange part = FileRange.of(file.size(), options);
      if (!FileHeaders.notModified(res)) {
        part = part.cut(res, file.size());
      }
      if (part != null) {
        Headers headers = res.headers().remove("Transfer-Encoding").remove("Content-Length");
        if (Status.hasBody(res.status())) {
          headers.set("Content-Length", Long.toString(part.length()));
        }
      }
      return part;
    } catch (Throwable e) {
      FileHeaders.remove(res);
      res.release();
      throw e;
    }
  }

  private static void start(long length, Response res) {
    try {
      res.start(length);
    } catch (Throwable e) {
      FileHeaders.remove(res); // the error page is not the file
      throw e;
    }
  }

  /** Gives an error after removing what would have described the file to the client. */
  private static HttpError undescribed(HttpError error, Response res) {
    res.forget("Content-Disposition");
    return error;
  }
}
