package dev.percolate.middleware;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.ErrorResponse;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Key;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.CheckReturnValue;
import dev.percolate.http.Html;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Error handler that shows all details of an error to developers, as an HTML page, JSON or text,
 * depending on {@code Accept}. Pages have {@code Vary: Accept}.
 *
 * <p>The status code is that of the error, else that of the response if it is an error status, else
 * 500. The text consists of the error's class and message, its stack trace and its causes. JSON is
 * an object {@code error} with {@code message}, then {@code stack} for the text, then all fields of
 * an {@link HttpError}. The setting {@link #TITLE} is the title of the page.
 *
 * <p>Clients for which {@link ErrorResponse#showsTraces} is false get only the status phrase. If
 * the response has begun, its connection is closed, and no later error handler is called.
 *
 * <pre>{@code
 * app.configure("development", () -> app.use(ErrorPages.of()));
 * app.use(ErrorPages.of().log((error, text, req, res) -> log.error(text)));
 * }</pre>
 *
 * <p>Each option returns a changed copy.
 */
@CheckReturnValue
public final class ErrorPages implements ErrorHandler {

  /** The title of the application and of its error pages. Default: {@code Percolate}. */
  public static final Key<Object> TITLE = Key.of("title", Object.class, "Percolate");

  private static final List<String> TYPES = List.of("text/html", "application/json", "text/plain");
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <title>%1$s</title>
      <style>body{font:13px Helvetica,Arial,sans-serif;padding:80px 100px;color:#555}\
      h1{font-size:60px}h2{font-size:20px}h2 em{margin-right:8px;color:#a00}\
      #stacktrace{margin:0;padding:0;list-style:none;color:#777}</style>
      </head>
      <body>
      <div id="wrapper">
      <h1>%1$s</h1>
      <h2><em>%2$s</em> %3$s</h2>
      <ul id="stacktrace">%4$s</ul>
      </div>
      </body>
      </html>
      """;

  private final @Nullable Listener listener;

  private ErrorPages(@Nullable Listener listener) {
    this.listener = listener;
  }

  /** Receives errors, for example to log them. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Called for each error, after its response.
     *
     * @param error the error
     * @param text its text, with stack trace and causes
     * @param req the request
     * @param res the response
     */
    void failed(Throwable error, String text, Request req, Response res);
  }

  /**
   * Creates an error handler that also writes errors to standard error, unless the environment is
   * {@code test}.
   */
  public static ErrorPages of() {
    return new ErrorPages(null).log(!Settings.processEnv().equals("test"));
  }

  /**
   * Sets whether errors are written to standard error.
   *
   * @param log false to write nothing
   */
  public ErrorPages log(boolean log) {
    return new ErrorPages(log ? ErrorPages::print : null);
  }

  /**
   * Sets a listener for errors, instead of standard error.
   *
   * @param listener called for each error, after its response
   */
  public ErrorPages log(Listener listener) {
    return new ErrorPages(listener);
  }

  @Override
  public void handle(Throwable error, Request req, Response res, Next next) {
    if (res.headersSent() && error instanceof ClientDisconnectedException) {
      next.fail(error); // the client disconnected: no response, and nothing to log
      return;
    }
    boolean late = res.headersSent();
    String text = text(error);
    if (!late) {
      res.status(ErrorResponse.statusOf(error, res)).set("X-Content-Type-Options", "nosniff");
      answer(error, text, req, res);
    }
    if (listener != null) {
      listener.failed(error, text, req, res);
    }
    if (late) {
      ErrorResponse.abort(res);
    }
  }

  private static void answer(Throwable error, String text, Request req, Response res) {
    boolean shown = ErrorResponse.showsTraces(req);
    String told = shown ? text : phrase(res.status());
    String type = PreferredType.of(req, res, TYPES);
    if ("text/html".equals(type)) {
      String page = page(String.valueOf(req.settings().get(TITLE)), res.status(), told);
      res.set("Content-Type", "text/html; charset=utf-8").end(page);
    } else if ("application/json".equals(type)) {
      Map<String, @Nullable Object> fields = shown ? fields(error, text) : Map.of("message", told);
      String json =
          req.settings().jsonCodec().write(Map.of("error", fields), JsonCodec.WriteOptions.COMPACT);
      res.set("Content-Type", "application/json; charset=utf-8").end(json);
    } else {
      res.set("Content-Type", "text/plain; charset=utf-8").end(told);
    }
  }

  /**
   * Returns the stack in the field {@code stack}, if an error has one, else the Java stack trace.
   */
  private static String text(Throwable error) {
    Object own = error instanceof HttpError http ? http.field("stack") : null;
    return own instanceof String stack ? stack : ErrorResponse.text(error);
  }

  private static Map<String, @Nullable Object> fields(Throwable error, String text) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>();
    String message = error.getMessage();
    shown.put("message", message == null ? "" : message);
    if (!text.equals(message)) {
      shown.put("stack", text);
    }
    if (error instanceof HttpError http) {
      http.fields().forEach(shown::putIfAbsent);
      shown.putIfAbsent("type", http.type() == null ? JsonCodec.ABSENT : http.type());
      shown.putIfAbsent("status", http.status());
      shown.putIfAbsent("statusCode", http.status());
      shown.putIfAbsent("expose", http.expose());
    }
    return shown;
  }

  /** Returns the phrase of a status code; {@code Error} if the code is unknown. */
  private static String phrase(int status) {
    return Status.isKnown(status) ? Status.phrase(status) : "Error";
  }

  private static String page(String title, int status, String text) {
    String[] lines = text.split("\n", -1);
    String trace =
        Arrays.stream(lines)
            .skip(1)
            .map(line -> "<li>" + Html.escape(line).replace("  ", " &nbsp;") + "</li>")
            .collect(Collectors.joining());
    return PAGE.formatted(Html.escape(title), status, Html.escape(lines[0]), trace);
  }

  private static void print(Throwable error, String text, Request req, Response res) {
    PrintStream err = System.err;
    err.println(text);
  }
}
