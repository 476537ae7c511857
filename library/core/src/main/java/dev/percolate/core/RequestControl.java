package dev.percolate.core;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.http.NormalPath;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part of a {@link Request} that services, routers, body parsers and tools need. Applications
 * use {@link Request} alone.
 *
 * <p>The methods are static, so that a request needs no second object.
 */
public final class RequestControl {

  private static final System.Logger LOG = System.getLogger("dev.percolate");
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();
  private static final Key<String> ENCODING = Key.of("body encoding", String.class);
  private static final Key<WarningListener> WARNINGS = Key.of("warnings", WarningListener.class);

  private RequestControl() {}

  /**
   * Creates the request of an exchange. If {@link Settings#AMBIGUOUS_TARGETS} rejects its target,
   * responds with 400 and closes the connection instead, as engines do. Unless {@link
   * Settings#SERVER_OPTIONS} is false, also responds to {@code OPTIONS *} itself. The service is
   * notified of both, as of requests that engines reject.
   *
   * @param exchange an exchange without a response
   * @param appState the state of the service or the outermost application
   * @param service the service
   * @return the request; null if the response has been sent
   */
  public static @Nullable Request admit(Exchange exchange, AppState appState, Service service) {
    Settings settings = appState.settings();
    String target = exchange.target();
    boolean plain = NormalPath.isPlain(target);
    boolean rejected = !plain && HeadGuard.rejectsTarget(target, ambiguousTargets(settings));
    boolean asterisk =
        target.equals("*") && Boolean.TRUE.equals(settings.get(Settings.SERVER_OPTIONS));
    if (!rejected && !asterisk) {
      return new Request(exchange, appState, plain);
    }
    boolean options = !rejected && exchange.method().equals("OPTIONS");
    int status = options ? 200 : 400;
    Headers headers = options ? HeadGuard.serverOptions() : HeadGuard.rejectionHeaders(400);
    exchange.start(status, headers);
    exchange.end(NOTHING);
    service.onRejected(exchange, status, headers);
    return null;
  }

  private static String ambiguousTargets(Settings settings) {
    return Objects.requireNonNull(settings.get(Settings.AMBIGUOUS_TARGETS));
  }

  /**
   * Returns how long a request has waited for a thread, in nanoseconds. Call it in a handler.
   *
   * @param req the request
   * @return the time; 0 before {@link dev.percolate.engine.SerialExecutor#measureWaits}
   */
  public static long waitedNanos(Request req) {
    return 1000L * Math.max(0, req.exchange().executor().waitedMicros());
  }

  /** Returns the context of the application that currently handles the request. */
  public static AppContext context(Request req) {
    return req.context;
  }

  /**
   * Sets the context of the application that currently handles the request. Applications call it
   * when a request enters or leaves.
   *
   * @param req the request
   * @param context the context
   */
  public static void context(Request req, AppContext context) {
    req.context = context;
  }

  /**
   * Sets the original request target, for gateways that report the target before a rewrite.
   *
   * @param req the request
   * @param originalUrl the path and query
   */
  public static void originalUrl(Request req, String originalUrl) {
    req.originalUrl = originalUrl;
  }

  /**
   * Returns true if paths are in normal form, which is the default. False if {@link
   * Settings#AMBIGUOUS_TARGETS} is {@code pass} in the outermost application.
   */
  public static boolean normalised(Request req) {
    return req.normalised();
  }

  /**
   * Sets the path parameters.
   *
   * @param req the request
   * @param params the parameters
   */
  public static void params(Request req, Params params) {
    req.params = params;
  }

  /**
   * Sets the current route.
   *
   * @param req the request
   * @param route the route; null for none
   */
  public static void route(Request req, @Nullable Object route) {
    req.route = route;
  }

  /**
   * Sets the path of the current route, in the current application.
   *
   * @param req the request
   * @param path the path without the mount path; null outside of routes
   */
  public static void routePath(Request req, @Nullable String path) {
    req.routePath = path;
    req.routeContext = req.context;
  }

  /**
   * Sets the parsed body.
   *
   * @param req the request
   * @param value the value
   */
  public static void body(Request req, @Nullable Object value) {
    req.setBody(value, null, false);
  }

  /**
   * Sets a JSON body. The first call of {@link Request#body()} creates the value; {@link
   * Request#body(Class)} reads it as a type.
   *
   * @param req the request
   * @param json the parsed text
   */
  public static void jsonBody(Request req, JsonDocument json) {
    req.setBody(null, json, true);
  }

  /**
   * Sets a JSON body and the value that {@link Request#body()} returns for it.
   *
   * @param req the request
   * @param value the value
   * @param json the parsed text, for {@link Request#body(Class)}
   */
  public static void jsonBody(Request req, @Nullable Object value, JsonDocument json) {
    req.setBody(value, json, false);
  }

  /**
   * Observes the body of a request. Call it before the body is read. If the application reads only
   * a part of the body, the observer gets that part.
   *
   * @param req the request
   * @param observer receives each chunk before its reader; must not block, and must copy the bytes
   */
  public static void onBody(Request req, Consumer<ByteBuffer> observer) {
    req.stream().counter =
        chunk -> {
          Callbacks.accept("observing a body", observer, chunk.asReadOnlyBuffer());
          return chunk.remaining();
        };
  }

  /** Returns true if reading of the body has not started. */
  public static boolean readable(Request req) {
    return req.stream().readable();
  }

  /**
   * Marks the body as unread or read.
   *
   * @param req the request
   * @param readable false to prevent others from reading it
   */
  public static void readable(Request req, boolean readable) {
    req.stream().readable(readable);
  }

  /** Returns the charset with which other code decodes the body, or null. */
  public static @Nullable String encoding(Request req) {
    return req.attrOrNull(ENCODING);
  }

  /**
   * Declares that other code decodes the body. Parsers then reject the body.
   *
   * @param req the request
   * @param charset the name of the charset; null if no other code decodes it
   */
  public static void encoding(Request req, @Nullable String charset) {
    req.attr(ENCODING, charset);
  }

  /**
   * Reserves {@link BodyMemory} until the exchange ends, for data of the body beyond {@link
   * ChunkReader#bufferedBytes}.
   *
   * @param req the request
   * @param bytes the total number of bytes kept
   * @throws dev.percolate.http.HttpError 503 {@code memory.unavailable} if the memory is not
   *     available
   */
  public static void reserve(Request req, long bytes) {
    req.stream().keep(bytes);
  }

  /** Returns the trace of a request; null if there is none. */
  public static @Nullable RequestTrace trace(Request req) {
    return req.dispatchState().trace();
  }

  /**
   * Sets the trace of a request, from the next handler on. Middleware and handlers call it.
   *
   * @param req the request
   * @param trace observes the handlers; null for no trace
   */
  public static void trace(Request req, @Nullable RequestTrace trace) {
    req.dispatchState().trace(trace);
  }

  /**
   * Observes the errors that {@link #warn} reports for a request.
   *
   * @param req the request
   * @param observer receives them in addition to the log and the trace, on any thread
   */
  public static void onWarning(Request req, WarningListener observer) {
    req.attr(WARNINGS, observer);
  }

  /**
   * Reports an error of the application that the client does not see, such as a response that
   * violates the API description. It is logged as a warning, and passed to the trace of the
   * request. In-memory calls of the testkit fail instead.
   *
   * @param req the request
   * @param warning the error, for developers
   */
  public static void warn(Request req, String warning) {
    WarningListener observer = req.attrOrNull(WARNINGS);
    if (observer != null) {
      Callbacks.accept("observing a warning", observer::onWarning, warning);
    }
    RequestTrace trace = trace(req);
    if (trace != null) {
      Callbacks.run(DispatchState.TRACE, () -> trace.onWarning(warning));
    }
    if (req.exchange() instanceof WarningListener listener) {
      listener.onWarning(warning);
    } else {
      LOG.log(Level.WARNING, warning);
    }
  }
}
