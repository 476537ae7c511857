package dev.percolate.core;

import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.Accept;
import dev.percolate.http.Forwarded;
import dev.percolate.http.Host;
import dev.percolate.http.HttpError;
import dev.percolate.http.Status;
import dev.percolate.http.Trust;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The default response to an error, or to a request that no handler has responded to.
 *
 * <p>An error page has the status code of the error. Otherwise it has that of the response if it is
 * at least 400, or 500. For developers, the page shows the error's class, message, stack trace and
 * causes. In production, and if {@link #showsTraces} is false, it shows only the reason phrase. It
 * is plain text if the client does not prefer HTML, such as curl. The response to invalid input is
 * its {@link #problem} in JSON instead, unless the client prefers HTML.
 *
 * <p>If the response has already started, an error closes the connection, see {@link #abort}.
 * Errors are also logged, except in the environment {@code test}. In production, errors of clients
 * are logged only at level DEBUG.
 */
public final class ErrorResponse {

  /**
   * Whether the response to errors of a request is their {@link #problem}, unless the client
   * prefers HTML. Middleware sets it before it passes on an error whose response it documents.
   */
  public static final Key<Boolean> AS_PROBLEM = Key.of("errors as problems", Boolean.class);

  /** The content type of a {@link #problem}. */
  public static final String PROBLEM = "application/problem+json";

  private static final Trust LOOPBACK = Trust.of("loopback");
  private static final List<String> TYPES = List.of(PROBLEM, "application/json", "text/html");

  private ErrorResponse() {}

  /**
   * Returns the text of an error for the default page: class, message and stack trace, then those
   * of each cause.
   *
   * @param error the error
   * @return the text, with line breaks
   */
  public static String text(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    // \G matches the tabs at the start of a line, one after the other.
    return text.toString()
        .lines()
        .map(line -> line.replaceAll("\\G\t", "    "))
        .collect(Collectors.joining("\n"));
  }

  /**
   * Returns the status code of the response to an error: that of the error, or that of the response
   * if it is at least 400, or 500.
   *
   * @param error the error
   * @param res the response
   */
  public static int statusOf(Throwable error, Response res) {
    if (error instanceof HttpError httpError) {
      return httpError.status();
    }
    return res.status() >= 400 ? res.status() : 500;
  }

  /**
   * Returns true if the response to a request may show stack traces and the messages of hidden
   * errors, by the setting {@link Settings#STACK_TRACES}. With {@code all} they are shown, except
   * by this class if the process is in production.
   *
   * <p>By default, neither the process ({@link Settings#processEnv}) nor the application ({@link
   * Settings#ENV}) may be in production, the connection must come from a loopback address, and
   * {@code Host} must name this machine. That excludes pages of other sites whose name resolves to
   * this machine (DNS rebinding). No header may show that a proxy forwarded the request. A proxy on
   * the same machine that adds no header cannot be distinguished from a client.
   *
   * @param req the request
   */
  public static boolean showsTraces(Request req) {
    String who = req.settings().get(Settings.STACK_TRACES);
    return "all".equals(who)
        || ("loopback".equals(who)
            && !Settings.processEnv().equals("production")
            && !"production".equals(req.settings().get(Settings.ENV))
            && LOOPBACK.trusts(req.exchange().remoteAddress(), 0)
            && namesThisMachine(req)
            && !Forwarded.isThroughProxy(req.headers()));
  }

  /** Returns true if this class may show hidden errors to a client: never in production. */
  static boolean showsHidden(Request req) {
    return !Settings.processEnv().equals("production") && showsTraces(req);
  }

  /** Browsers always send {@code Host}, so a client without it is not a page of another site. */
  private static boolean namesThisMachine(Request req) {
    String host = req.headers().get("Host");
    return host == null || Host.isLoopback(host);
  }

  /**
   * Returns the problem that describes an error (RFC 9457), in JSON: {@code title} and {@code
   * status}; {@code detail}, {@code code} and the input errors of an {@link HttpError} that is
   * exposed to clients. For other errors, {@code detail} contains class and message if {@link
   * #showsTraces} is true and the process is not in production.
   *
   * @param error the error
   * @param status the status code of the response
   * @param req the request
   * @return the JSON; null if the client prefers HTML
   * @throws IllegalStateException if no JSON codec is installed, as without {@code percolate-json}
   */
  public static @Nullable String problem(Throwable error, int status, Request req) {
    if ("text/html".equals(Accept.best(req.get("Accept"), TYPES))) {
      return null;
    }
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    members.put("title", Status.isKnown(status) ? Status.phrase(status) : "Error");
    members.put("status", status);
    if (error instanceof HttpError http && http.expose()) {
      Object detail = http.field("detail"); // a message without data from the client
      addIfKnown(members, "detail", detail == null ? http.getMessage() : detail);
      addIfKnown(members, "code", http.type());
      addIfKnown(members, "errors", http.field("errors"));
    } else if (showsHidden(req)) {
      members.put("detail", error.toString());
    }
    return req.settings().jsonCodec().write(members, JsonCodec.WriteOptions.COMPACT);
  }

  private static void addIfKnown(
      Map<String, @Nullable Object> members, String name, @Nullable Object value) {
    if (value != null && !value.equals(members.get("title"))) {
      members.put(name, value);
    }
  }

  /**
   * Closes the connection if the response has started but not ended, so that the client does not
   * take a partial response for a complete one. If nothing has been sent yet, as for HEAD, the
   * response is a 500 instead.
   *
   * @param res the response
   */
  public static void abort(Response res) {
    res.cut();
  }

  /** Sends the default 404, unless there is a response. */
  static void notFound(Response res) {
    RequestTrace.Page own = ownPage(null, 404, res);
    if (res.answer().tryClaim()) {
      String text = "Cannot " + res.req().method() + " " + res.req().originalUrl();
      BodySender.page(
          res, 404, own == null ? DefaultPage.of(pageType(res.req()), 404, text) : own, false);
    }
  }

  /** Reports an error and sends its response. If another has started, closes the connection. */
  static void send(Throwable error, Response res) {
    int status = statusOf(error, res);
    report(error, status, res.req());
    if (!sent(error, status, res, res.answer().givenUp())) {
      abort(res);
    }
  }

  /**
   * Ends an exchange with an error that came too late for error handlers, if it has no response. A
   * handler may still run.
   *
   * @return whether this sent the response
   */
  static boolean end(Throwable error, Response res) {
    return sent(error, statusOf(error, res), res, true);
  }

  /**
   * Reports an error whose handler failed, because the error would be lost otherwise. Does nothing
   * if the handler threw the same error, wrapped it, or threw an {@link HttpError}.
   */
  static void replaced(Throwable error, Throwable by, Response res) {
    boolean known = by == error || by.getCause() == error || by instanceof HttpError;
    if (!known) {
      report(error, statusOf(error, res), res.req());
    }
  }

  /** Sets {@code Retry-After} if the error is an unavailable store. */
  static void setRetryAfter(Throwable error, Response res) {
    if (error instanceof StoreUnavailableException
        && !res.headersSent()
        && res.get("Retry-After") == null) {
      res.set("Retry-After", Integer.toString(StoreUnavailableException.RETRY_AFTER));
    }
  }

  private static boolean sent(Throwable error, int status, Response res, boolean afresh) {
    if (isClientGone(error)) {
      res.req().responseTimeout().answered();
      return false; // no response, and no log entry
    }
    setRetryAfter(error, res);
    RequestTrace.Page page = afresh ? null : ownPage(error, status, res);
    RequestTrace.Page problem = problemPage(error, status, res.req());
    boolean first = res.answer().tryClaim();
    if (first) {
      if (problem != null) {
        res.vary("Accept");
        page = problem;
      } else if (page == null) {
        page = DefaultPage.of(pageType(res.req()), status, shown(error, status, res.req()));
      }
      BodySender.page(res, status, page, afresh);
    }
    return first;
  }

  /** Returns the type of the default page, by the header {@code Accept}; null for a fragment. */
  static @Nullable String pageType(Request req) {
    return DefaultPage.type(req.get("Accept"), req.settings().negotiation());
  }

  /**
   * Returns the problem of an error of {@link #AS_PROBLEM} or of invalid input; null for other
   * errors and for browsers.
   */
  private static RequestTrace.@Nullable Page problemPage(Throwable error, int status, Request req) {
    boolean hasProblem =
        Boolean.TRUE.equals(req.attrOrNull(AS_PROBLEM))
            || (error instanceof HttpError http && !InputError.of(http).isEmpty());
    try {
      String problem = hasProblem ? problem(error, status, req) : null;
      return problem == null ? null : new RequestTrace.Page(PROBLEM, problem);
    } catch (IllegalStateException e) {
      return null; // without percolate-json
    }
  }

  /** Returns the page of the request trace; null for the default page. */
  private static RequestTrace.@Nullable Page ownPage(
      @Nullable Throwable error, int status, Response res) {
    RequestTrace trace = res.req().dispatchState().trace();
    if (trace == null || res.headersSent()) {
      return null;
    }
    try {
      return trace.page(error, status);
    } catch (Throwable failed) {
      res.req().appState().faultLog().unmade(failed, res.req());
      return null;
    }
  }

  private static boolean isClientGone(Throwable error) {
    return error instanceof ClientDisconnectedException
        || error.getCause() instanceof ClientDisconnectedException;
  }

  private static void report(Throwable error, int status, Request req) {
    if (!isClientGone(error) && !Settings.processEnv().equals("test")) {
      if (req.response().answer().givenUp()) {
        req.late(error);
      } else {
        req.appState().faultLog().unhandled(error, status, req.head());
      }
    }
  }

  /** Returns the text of an error for a client: the stack trace, or only the reason phrase. */
  private static String shown(Throwable error, int status, Request req) {
    String phrase = Status.isKnown(status) ? Status.phrase(status) : "undefined";
    return showsHidden(req) ? text(error) : phrase;
  }
}
