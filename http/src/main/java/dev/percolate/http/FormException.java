package dev.percolate.http;

/** Says that a form was not parsed because it goes beyond a limit. */
public final class FormException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The limit that was exceeded. */
  private final Reason reason;

  FormException(Reason reason) {
    // A client can cause this at will: no stack trace is collected.
    super(reason.message, null, false, false);
    this.reason = reason;
  }

  /**
   * Returns which limit was exceeded.
   *
   * @return the reason
   */
  public Reason reason() {
    return reason;
  }

  /** Names the limits of a form. */
  public enum Reason {
    /** More parts than the parameter limit allows; an answer is 413. */
    TOO_MANY_PARAMETERS("too many parameters"),
    /** More levels of brackets than an explicit depth allows; an answer is 400. */
    TOO_DEEP("The input exceeded the depth");

    private final String message;

    Reason(String message) {
      this.message = message;
    }
  }
}
