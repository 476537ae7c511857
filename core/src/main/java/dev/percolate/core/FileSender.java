package dev.percolate.core;

import dev.percolate.http.Accept;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import java.nio.file.Path;
import java.util.List;
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
  static void send(Path path, FileOptions chosen, FileResponse res) {
    FileOptions options = chosen.under(res.settings());
    FoundFile file;
    try {
      file = FoundFile.find(FilePath.of(path, options), options, wanted(res, options));
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
  static void send(String path, FileOptions chosen, FileResponse res, Next next) {
    FileOptions options = chosen.under(res.settings());
    FoundFile file;
    try {
      file =
          FoundFile.find(
              FilePath.decode(path, options, res.normalised()), options, wanted(res, options));
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
  private static boolean send(FoundFile file, FileOptions options, FileResponse res) {
    boolean given = false;
    try {
      res.claim();
      FileRange part = describe(file, options, res);
      if (part == null) {
        if (file.coding() != null) {
          res.forget("Content-Encoding"); // the error page is not encoded
        }
        res.reopen();
        return false;
      }
      start(part.length(), res);
      if (res.hasBody() && part.length() > 0) {
        given = true;
        res.send(file.content(), part);
      } else {
        res.end();
      }
      return true;
    } finally {
      if (!given) {
        file.close();
      }
    }
  }

  private static @Nullable FileRange describe(
      FoundFile file, FileOptions options, FileResponse res) {
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

  private static void start(long length, FileResponse res) {
    try {
      res.start(length);
    } catch (Throwable e) {
      FileHeaders.remove(res); // the error page is not the file
      throw e;
    }
  }

  /** Returns the extensions of the files that may be sent instead, the best first. */
  private static List<String> wanted(FileResponse res, FileOptions options) {
    boolean whole = options.start == 0 && options.end == Long.MAX_VALUE;
    if (options.precompressed.isEmpty() || !whole || res.headers().contains("Content-Encoding")) {
      return List.of();
    }
    List<String> codings = options.precompressed.stream().map(FileOptions::coding).toList();
    String accepted = HeaderValue.of(res.received(), "Accept-Encoding");
    return Accept.codings(accepted, codings).stream()
        .map(coding -> options.precompressed.get(codings.indexOf(coding)))
        .toList();
  }

  /** Returns an error after removing what would have described the file to the client. */
  private static HttpError undescribed(HttpError error, FileResponse res) {
    res.forget("Content-Disposition");
    return error;
  }
}
