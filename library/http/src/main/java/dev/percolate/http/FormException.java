package dev.percolate.http;

/** Thrown if a form exceeds a limit. */
public final class FormException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  FormException(Reason reason) {
    // Clients can cause this at will, so there is no stack trace.
    super(reason.message, null, false, false);
    this.reason = reason;
  }

  /** Returns the limit that was exceeded. */
  public Reason reason() {
    return reason;
  }

  /** The limits of a form. */
  public enum Reason {
    /** The form has more parameters than allowed. The status code for it is 413. */
    TOO_MANY_PARAMETERS("too many parameters"),
    /** The form has more nested brackets than allowed. The status code for it is 400. */
    TOO_DEEP("The input exceeded the depth");

    private final String message;

    Reason(String message) {
      this.message = message;
    }
  }
}
