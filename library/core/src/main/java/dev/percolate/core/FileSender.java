package dev.percolate.core;

import dev.percolate.http.Accept;
import dev.percolate.http.ConditionalRequests;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends a file as the response to a request.
 *
 * <pre>
 *   FilePath     decode, root, hidden names        400 403 404
 *   FoundFile    index, extensions, open           404 500, or a directory
 *   FileHeaders  hook, headers, conditions         304 412
 *   FileRange    start and end, If-Range, Range    206 416
 * </pre>
 */
final class FileSender {

  private FileSender() {}

  /** Sends a file of the application, or throws an error. */
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
    HttpError error = send(file, options, res);
    if (error != null) {
      throw error;
    }
  }

  /**
   * Sends the file that a path from outside refers to. Calls {@code next} with an error, or if the
   * path is a directory.
   */
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
      return;
    }
    HttpError error = send(file, options, res);
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
  private static @Nullable HttpError send(FoundFile file, FileOptions options, FileResponse res) {
    boolean given = false;
    try {
      res.claim();
      describe(file, options, res);
      FileRange part;
      try {
        part = part(file, options, res);
      } catch (HttpError e) {
        giveUp(file, res, e.status());
        return undescribed(e, res);
      }
      start(part.length(), res);
      if (res.hasBody() && part.length() > 0) {
        given = true;
        res.send(file.content(), part);
      } else {
        res.end();
      }
      return null;
    } finally {
      if (!given) {
        file.close();
      }
    }
  }

  private static void describe(FoundFile file, FileOptions options, FileResponse res) {
    try {
      FileHeaders.set(res, file, options);
    } catch (Throwable e) {
      FileHeaders.remove(res);
      res.release();
      throw e;
    }
  }

  /** Returns the part to send, by the conditions and the range of the request. */
  private static FileRange part(FoundFile file, FileOptions options, FileResponse res) {
    FileRange part = FileRange.of(file.size(), options);
    if (!FileHeaders.notModified(res)) {
      part = part.cut(res, file.size());
    }
    Headers headers = res.headers().remove("Transfer-Encoding").remove("Content-Length");
    if (Status.hasBody(res.status())) {
      headers.set("Content-Length", Long.toString(part.length()));
    }
    return part;
  }

  private static void start(long length, FileResponse res) {
    try {
      res.start(length);
    } catch (Throwable e) {
      FileHeaders.remove(res); // the error page is not the file
      throw e;
    }
  }

  /** Reopens the response for an error, without the headers that describe the file. */
  private static void giveUp(FoundFile file, FileResponse res, int status) {
    if (res.settings().conditionalRequests() == ConditionalRequests.STANDARD) {
      res.forgetBody(status);
      res.forget("Content-Type");
    } else if (file.coding() != null) {
      res.forget("Content-Encoding");
    }
    res.reopen();
  }

  /** Returns the extensions of compressed files that the client accepts, the best first. */
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

  /** Removes the header that describes the file, and returns the error. */
  private static HttpError undescribed(HttpError error, FileResponse res) {
    res.forget("Content-Disposition");
    return error;
  }
}
