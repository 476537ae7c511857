package dev.percolate.middleware;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.ErrorResponse;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;

/**
 * Error handler that responds with {@code application/problem+json} (RFC 9457, Problem Details),
 * for clients of an API.
 *
 * <pre>{@code
 * app.use("/api", ProblemDetails.notFound());  // after the last route
 * app.use(ProblemDetails.json());
 * }</pre>
 *
 * <p>The response has these members:
 *
 * <pre>
 *   title    the phrase of the status code
 *   status   the status code
 *   detail   the field detail or else the message of an HttpError
 *   code     the type of an HttpError, such as entity.too.large
 *   errors   the field errors of an HttpError, with an entry for each invalid value
 * </pre>
 *
 * <p>The last three are sent only for an {@link HttpError} that is exposed to clients. {@code
 * errors} lists all {@linkplain dev.percolate.core.InputError errors} in the data of the client.
 * Other fields of an error, which may contain data from the client, and stack traces are not sent.
 * For other errors, clients for which {@link ErrorResponse#showsTraces} is true get the class and
 * message as {@code detail}, unless the process is in production.
 *
 * <p>Clients that prefer {@code text/html} to JSON, such as browsers, are left to the next error
 * handler. So are errors after the response has begun. Errors with status code 500 and above are
 * logged, like errors that no error handler handles.
 */
public final class ProblemDetails implements ErrorHandler {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");

  private ProblemDetails() {}

  /** Creates the error handler. Applications can share it. */
  public static ErrorHandler json() {
    return new ProblemDetails();
  }

  /**
   * Creates middleware that passes the 404 error to the error handlers for each request that
   * reaches it.
   */
  public static Middleware notFound() {
    return (req, res, next) -> next.fail(new HttpError(404));
  }

  @Override
  public void handle(Throwable error, Request req, Response res, Next next) {
    int status = ErrorResponse.statusOf(error, res);
    String problem = res.headersSent() ? null : ErrorResponse.problem(error, status, req);
    if (problem == null) {
      next.fail(error);
      return;
    }
    if (status >= 500) {
      LOG.log(
          Level.ERROR,
          () -> req.method() + " " + LogText.escape(req.originalUrl()) + ": " + status,
          error);
    }
    res.status(status).vary("Accept").set("Content-Type", ErrorResponse.PROBLEM);
    res.set("X-Content-Type-Options", "nosniff").end(problem);
  }
}
