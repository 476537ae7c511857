package dev.percolate.middleware;

import dev.percolate.core.CheckReturnValue;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.FinalHandler;
import dev.percolate.core.HttpError;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.http.Accept;
import dev.percolate.http.Html;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers errors with all that is known about them, for developers: as a page, as JSON or as text,
 * by what the client accepts.
 *
 * <p>Stack traces and the fields of errors are shown in every environment, so this does not belong
 * into production; there the default page tells the status alone. The status is that of the error,
 * else the response's if it is one of an error, else 500. JSON is {@code {"error": {"message", then
 * "stack" if there is one, then the fields}}}. If the answer has begun, the error is passed on, and
 * the connection closed in the end.
 *
 * <pre>{@code
 * app.configure("development", () -> app.use(ErrorPages.of()));
 * app.use(ErrorPages.of().log((error, text, req, res) -> log.error(text)));
 * }</pre>
 */
@CheckReturnValue
public final class ErrorPages implements ErrorHandler {

  private static final List<String> TYPES = List.of("text/html", "application/json", "text/plain");
  private static final String STYLE =
      "body{font:13px Helvetica,Arial,sans-serif;padding:80px 100px;color:#555}"
          + "h1{font-size:60px}h2{font-size:20px}h2 em{margin-right:8px;color:#a00}"
          + "#stacktrace{margin:0;padding:0;list-style:none;color:#777}";

  private final @Nullable Listener listener;

  private ErrorPages(@Nullable Listener listener) {
    this.listener = listener;
  }

  /** Takes note of an error. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Takes note, after the answer.
     *
     * @param error the error
     * @param text its text, with the stack trace if there is one
     * @param req the request
     * @param res its response
     */
    void failed(Throwable error, String text, Request req, Response res);
  }

  /**
   * Also writes each error to the standard error stream, unless the environment is {@code test}.
   */
  public static ErrorPages of() {
    return new ErrorPages(null).log(!Settings.processEnv().equals("test"));
  }

  /**
   * Chooses whether errors are written to the standard error stream.
   *
   * @param log false to write nothing
   * @return a changed copy
   */
  public ErrorPages log(boolean log) {
    return new ErrorPages(log ? ErrorPages::print : null);
  }

  /**
   * Chooses who is told of errors.
   *
   * @param listener is told of each, after its answer
   * @return a changed copy
   */
  public ErrorPages log(Listener listener) {
    return new ErrorPages(listener);
  }

  @Override
  public void handle(Throwable error, Request req, Response res, Next next) {
    if (res.headersSent()) {
      next.fail(error);
      return;
    }
    String text = text(error);
    res.status(status(error, res)).set("X-Content-Type-Options", "nosniff");
    String type = Accept.preferred(req.get("Accept"), TYPES);
    if ("text/html".equals(type)) {
      res.set("Content-Type", "text/html; charset=utf-8").end(page(res.status(), text));
    } else if ("application/json".equals(type)) {
      String json =
          JsonCodec.find().write(Map.of("error", fields(error, text)), JsonCodec.Style.COMPACT);
      res.set("Content-Type", "application/json; charset=utf-8").end(json);
    } else {
      res.set("Content-Type", "text/plain; charset=utf-8").end(text);
    }
    if (listener != null) {
      listener.failed(error, text, req, res);
    }
  }

  private static int status(Throwable error, Response res) {
    int status = error instanceof HttpError http ? http.status() : res.status();
    return status < 400 ? 500 : status;
  }

  /** Gives the error's own stack, if it comes from elsewhere and brings one, else Java's. */
  private static String text(Throwable error) {
    Object own = error instanceof HttpError http ? http.field("stack") : null;
    return own instanceof String stack ? stack : FinalHandler.text(error);
  }

  private static Map<String, @Nullable Object> fields(Throwable error, String text) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    String message = error.getMessage();
    shown.put("message", message == null ? "" : message);
    boolean plain = error.getStackTrace().length == 0 && text.indexOf('\n') < 0;
    HttpError http = error instanceof HttpError known ? known : null;
    if (!plain || (http != null && http.field("stack") != null)) {
      shown.put("stack", text);
    }
    if (http != null) {
      http.fields().forEach(shown::putIfAbsent);
      if (http.type() != null) {
        shown.putIfAbsent("type", http.type());
      }
    }
    return shown;
  }

  private static String page(int status, String text) {
    String[] lines = text.split("\n", -1);
    StringBuilder page = new StringBuilder(512);
    page.append("<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>Express</title>")
        .append("\n<style>")
        .append(STYLE)
        .append("</style>\n</head>\n<body>\n<div id=\"wrapper\">\n<h1>Express</h1>\n<h2><em>")
        .append(status)
        .append("</em> ")
        .append(Html.escape(lines[0]))
        .append("</h2>\n<ul id=\"stacktrace\">");
    for (int i = 1; i < lines.length; i++) {
      page.append("<li>").append(Html.escape(lines[i]).replace("  ", " &nbsp;")).append("</li>");
    }
    return page.append("</ul>\n</div>\n</body>\n</html>\n").toString();
  }

  private static void print(Throwable error, String text, Request req, Response res) {
    PrintStream err = System.err;
    err.println(text);
  }
}
