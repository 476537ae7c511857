package dev.percolate.multipart;

import dev.percolate.core.Request;
import dev.percolate.http.ContentLength;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes the errors of forms with files. */
final class Failure {

  /** A name is the client's, and its message may be shown and logged. */
  private static final int SHOWN = 40;

  private Failure() {}

  static HttpError malformed(String what, @Nullable Throwable cause) {
    return new HttpError(400, "multipart: " + what, "multipart.malformed", cause);
  }

  static HttpError tooMuch(String message, String type, long limit) {
    return new HttpError(413, message, type, null).with("limit", limit);
  }

  static HttpError tooLarge(long limit) {
    return tooMuch("request entity too large", "entity.too.large", limit);
  }

  static HttpError aborted(Throwable cause, long received) {
    return new HttpError(400, "request aborted", "request.aborted", cause)
        .with("code", "ECONNABORTED")
        .with("received", received);
  }

  static HttpError encoding(String encoding) {
    String name = encoding.toLowerCase(Locale.ROOT);
    String shown = LogText.escape(name.length() > SHOWN ? name.substring(0, SHOWN) : name);
    String message = "unsupported content encoding \"" + shown + '"';
    return new HttpError(415, message, "encoding.unsupported", null).with("encoding", name);
  }

  /**
   * Compares the announced length with the limit.
   *
   * @throws HttpError 413 if it is beyond
   */
  static void checkLength(Request req, long limit) {
    long length = ContentLength.parse(req.get("Content-Length"));
    if (length > limit) {
      throw tooLarge(limit).with("length", length).with("expected", length);
    }
  }
}
