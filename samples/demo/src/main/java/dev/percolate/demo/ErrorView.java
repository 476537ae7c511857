package dev.percolate.demo;

import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import java.lang.System.Logger.Level;
import java.util.Map;

/**
 * Renders error pages in the style of the guest book. Client errors have a message, others no
 * details; in development, the inspector shows them.
 */
final class ErrorView {

  private static final System.Logger LOG = System.getLogger("dev.percolate.demo");

  private ErrorView() {}

  /** The last middleware before the error handler: no route has matched. */
  static void notFound(Request req, Response res, Next next) {
    next.fail(new HttpError(404, "There is no page at this address."));
  }

  static void show(Throwable error, Request req, Response res, Next next) throws Exception {
    int status = 500;
    String message = "Something went wrong on our side. The error was logged.";
    if (error instanceof HttpError fault && fault.expose()) {
      status = fault.status();
      message =
          "EBADCSRFTOKEN".equals(fault.field("code"))
              ? "This form has expired. Please load the page again."
              : String.valueOf(fault.getMessage());
    } else if (error instanceof HttpError fault && fault.status() == 503) { // store or memory
      status = fault.status();
      message = "The guest book is temporarily unavailable. Please try again in a moment.";
    } else if ("development".equals(req.settings().get(Settings.ENV))) {
      next.fail(error);
      return;
    } else {
      LOG.log(Level.ERROR, req.method() + " " + req.originalUrl() + " failed", error);
    }
    if (res.headersSent()) {
      next.fail(error);
      return;
    }
    String phrase = Status.phrase(status);
    res.status(status)
        .render("error", Map.of("status", status, "phrase", phrase, "message", message));
  }
}
