package dev.percolate.multipart;

import dev.percolate.http.HttpError;

/** Creates the errors of forms that are malformed or too large. */
final class FormErrors {

  private FormErrors() {}

  /** Creates the 400 error for a form that violates RFC 7578. */
  static HttpError malformed(String what) {
    return new HttpError(400, "multipart: " + what, "multipart.malformed", null);
  }

  /** Creates the 413 error for a form that exceeds a limit. */
  static HttpError tooMuch(String message, String type, long limit) {
    return new HttpError(413, message, type, null).with("limit", limit);
  }
}
