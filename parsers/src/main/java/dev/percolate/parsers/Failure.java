package dev.percolate.parsers;

import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Makes the errors of body parsers. */
final class Failure {

  /** A name is the client's, and its message may be shown and logged. */
  private static final int SHOWN = 40;

  private Failure() {}

  static HttpError charset(String charset) {
    String name = shown(charset.toUpperCase(Locale.ROOT));
    String message = "unsupported charset \"" + name + '"';
    return new HttpError(415, message, "charset.unsupported", null).with("charset", charset);
  }

  static HttpError encoding(String encoding) {
    String message = "unsupported content encoding \"" + shown(encoding) + '"';
    return new HttpError(415, message, "encoding.unsupported", null).with("encoding", encoding);
  }

  static HttpError inflateOff(String encoding) {
    return new HttpError(415, "content encoding unsupported", "encoding.unsupported", null)
        .with("charset", encoding)
        .with("encoding", encoding);
  }

  static HttpError tooLarge(long limit) {
    return new HttpError(413, "request entity too large", "entity.too.large", null)
        .with("limit", limit);
  }

  static HttpError aborted(Throwable cause, long received, long length) {
    return new HttpError(400, "request aborted", "request.aborted", cause)
        .with("code", "ECONNABORTED")
        .with("received", received)
        .with("expected", length < 0 ? null : length)
        .with("length", length < 0 ? null : length);
  }

  static HttpError size(long received, long length) {
    String message = "request size did not match content length";
    return new HttpError(400, message, "request.size.invalid", null)
        .with("received", received)
        .with("expected", length)
        .with("length", length);
  }

  /** A body that cannot be inflated; it has no type. */
  static HttpError inflating(@Nullable String message, @Nullable Throwable cause) {
    return new HttpError(400, message, null, cause);
  }

  static HttpError parse(@Nullable String message, String text, @Nullable Throwable cause) {
    return new HttpError(400, message, "entity.parse.failed", cause).with("body", text);
  }

  /**
   * Passes on what a verifier threw: an error with a status keeps it, and all else that it has but
   * for fields that say something else about it.
   */
  static HttpError verify(Exception thrown, byte[] bytes) {
    if (thrown instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    HttpError error = thrown instanceof HttpError known ? known : null;
    if (error == null || error.type() == null) {
      int status = error == null ? 403 : error.status();
      HttpError typed = new HttpError(status, thrown.getMessage(), "entity.verify.failed", thrown);
      if (error != null) {
        error.fields().forEach(typed::with);
      }
      error = typed;
    }
    set(error, "status", error.status());
    set(error, "statusCode", error.status());
    set(error, "expose", error.expose());
    return error.with("body", bytes);
  }

  private static void set(HttpError error, String name, Object value) {
    if (error.field(name) != null) {
      HttpError ignored = error.with(name, value);
    }
  }

  private static String shown(String name) {
    return LogText.escape(name.length() > SHOWN ? name.substring(0, SHOWN) : name);
  }
}
