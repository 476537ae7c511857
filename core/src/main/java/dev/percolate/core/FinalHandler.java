package dev.percolate.core;

import dev.percolate.http.Html;
import dev.percolate.http.Status;
import org.jspecify.annotations.Nullable;

/**
 * Gives the default answers, where nobody answered: 404, or the page of an error.
 *
 * <p>It stands at the end of the outermost chain. An error page has the error's status if that is
 * one of an error, else the response's, else 500; it shows the stack trace, but in production only
 * the status phrase. If the answer has been started already, an error closes the connection: a
 * client must not take half an answer for a whole one. Errors are also logged, but in the
 * environment {@code test}; in production those of clients only at level DEBUG.
 */
public final class FinalHandler implements Next {

  private final Request req;
  private final Response res;

  /**
   * Makes the end of one request's chain.
   *
   * @param req the request
   * @param res its response
   */
  public FinalHandler(Request req, Response res) {
    this.req = req;
    this.res = res;
  }

  /**
   * Gives the text of an error as the default page shows it outside of production: the stack trace;
   * of an error that has none, and is no {@link HttpError}, what it calls itself.
   *
   * @param error the error
   * @return the text, in lines
   */
  public static String text(Throwable error) {
    boolean bare = error.getStackTrace().length == 0 && !(error instanceof HttpError);
    return bare ? error.toString() : trace(error);
  }

  @Override
  public void run() {
    if (res.answer().tryClaim()) {
      String page = "Cannot " + req.method() + " " + req.originalUrl();
      Sending.page(res, 404, Html.escape(page) + "\n", false);
    }
  }

  @Override
  public void fail(Throwable error) {
    int status = statusOf(error, res);
    report(error, status, req);
    if (!sent(error, status, res, res.answer().givenUp())) {
      res.answer().cut();
    }
  }

  @Override
  public void route() {
    fail(new IllegalStateException("route"));
  }

  /**
   * Ends an exchange by an error that came too late for error handlers, if nobody has answered. A
   * step of it may still run.
   *
   * @return whether this was the answer
   */
  static boolean end(Throwable error, Response res) {
    return sent(error, statusOf(error, res), res, true);
  }

  /**
   * Reports an error whose handler failed itself, since nobody will hear of it otherwise. One that
   * throws the error again, wraps it, or makes an answer of it, has said what it wanted.
   */
  static void replaced(Throwable error, Throwable by, Response res) {
    boolean known = by == error || by.getCause() == error || by instanceof HttpError;
    if (!known) {
      report(error, statusOf(error, res), res.req());
    }
  }

  private static boolean sent(Throwable error, int status, Response res, boolean afresh) {
    if (isClientGone(error)) {
      return false; // nobody is there to be answered, and no log line must say so
    }
    boolean first = res.answer().tryClaim();
    if (first) {
      Sending.page(res, status, page(error, status), afresh);
    }
    return first;
  }

  private static boolean isClientGone(Throwable error) {
    return error instanceof ClientGone || error.getCause() instanceof ClientGone;
  }

  private static int statusOf(Throwable error, Response res) {
    if (error instanceof HttpError httpError) {
      return httpError.status();
    }
    return res.status() >= 400 ? res.status() : 500;
  }

  private static void report(Throwable error, int status, Request req) {
    if (!isClientGone(error) && !Settings.processEnv().equals("test")) {
      req.faults().unhandled(error, status, req);
    }
  }

  private static String page(Throwable error, int status) {
    String text;
    if (Settings.processEnv().equals("production")) {
      text = Status.isKnown(status) ? Status.phrase(status) : "undefined";
    } else {
      text = text(error);
    }
    return Html.escape(text).replace("\n", "<br>").replace("  ", " &nbsp;") + "\n";
  }

  private static String trace(Throwable error) {
    StringBuilder trace = new StringBuilder("Error: ").append(message(error));
    for (StackTraceElement frame : error.getStackTrace()) {
      trace.append("\n    at ").append(frame);
    }
    return trace.toString();
  }

  private static String message(Throwable error) {
    @Nullable String message = error.getMessage();
    return message == null ? error.getClass().getName() : message;
  }
}
