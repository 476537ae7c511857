package dev.percolate.multipart;

import dev.percolate.http.HttpError;

/** Creates the errors of forms that are malformed or too large. */
final class FormFault {

  private FormFault() {}

  /** Creates the error 400 of a form that is not as RFC 7578 has it. */
  static HttpError malformed(String what) {
    return new HttpError(400, "multipart: " + what, "multipart.malformed", null);
  }

  /** Creates the error 413 of a form that exceeds a limit. */
  static HttpError tooMuch(String message, String type, long limit) {
    return new HttpError(413, message, type, null).with("limit", limit);
  }
}
