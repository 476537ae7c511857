package dev.percolate.middleware;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.FinalHandler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.Accept;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers errors as {@code application/problem+json} (RFC 9457), for the clients of an API.
 *
 * <pre>{@code
 * app.use("/api", Problems.notFound());  // behind the last route
 * app.use(Problems.json());
 * }</pre>
 *
 * <p>An answer has the members {@code title}, the phrase of the status; {@code status}; {@code
 * detail}, the field of that name or else the message of an {@link HttpError} that may be shown;
 * {@code code}, its type, such as {@code entity.too.large}; and {@code errors}, its field of that
 * name: one entry for each {@linkplain dev.percolate.core.InputFault fault}. So a client hears of
 * all that does not fit in what it has sent. Nothing else of an error is shown, so neither its
 * other fields, which may hold what the client has sent, nor a stack trace; of an error that is not
 * the client's fault only the status.
 *
 * <p>Clients that like {@code text/html} better than JSON, as browsers do, are left to the next
 * error handler. An error that comes after the answer has begun goes there too. Errors from 500 on
 * are logged, as those are that nobody handles.
 */
public final class Problems implements ErrorHandler {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");
  private static final String TYPE = "application/problem+json";
  private static final List<String> TYPES = List.of(TYPE, "application/json", "text/html");

  private Problems() {}

  /** Creates the handler; it may be shared by all applications. */
  public static ErrorHandler json() {
    return new Problems();
  }

  /** Creates a step that makes an error 404 of each request that reaches it. */
  public static Middleware notFound() {
    return (req, res, next) -> next.fail(new HttpError(404));
  }

  @Override
  public void handle(Throwable error, Request req, Response res, Next next) {
    if (res.headersSent() || "text/html".equals(Accept.best(req.get("Accept"), TYPES))) {
      next.fail(error);
      return;
    }
    int status = FinalHandler.statusOf(error, res);
    if (status >= 500) {
      LOG.log(
          Level.ERROR,
          () -> req.method() + " " + LogText.escape(req.originalUrl()) + ": " + status,
          error);
    }
    res.status(status).vary("Accept");
    res.set("Content-Type", TYPE).set("X-Content-Type-Options", "nosniff");
    String json =
        req.settings().jsonCodec().write(members(error, status, req), JsonCodec.Style.COMPACT);
    res.end(json);
  }

  private static Map<String, @Nullable Object> members(Throwable error, int status, Request req) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("title", ErrorPages.phrase(status));
    members.put("status", status);
    if (error instanceof HttpError http && http.expose()) {
      Object detail = http.field("detail"); // a message without what the client has sent
      addIfKnown(members, "detail", detail == null ? http.getMessage() : detail);
      addIfKnown(members, "code", http.type());
      addIfKnown(members, "errors", http.field("errors"));
    } else if (FinalHandler.showsTraces(req)) {
      members.put("detail", error.toString());
    }
    return members;
  }

  private static void addIfKnown(
      Map<String, @Nullable Object> members, String name, @Nullable Object value) {
    if (value != null && !value.equals(members.get("title"))) {
      members.put(name, value);
    }
  }
}
