package dev.percolate.observability;

import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.TraitsProvider;
import dev.percolate.http.HeaderValue;
import dev.percolate.http.Host;
import dev.percolate.http.KnownMethods;
import dev.percolate.http.Target;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Middleware that creates an OpenTelemetry server span for each request. OpenTelemetry is an
 * optional dependency.
 *
 * <p>If a span is already current, such as the span of a Java agent, it is used. It gets the name
 * and the route, and its owner ends it. Otherwise a span begins here. Its parent comes from the
 * request headers ({@code traceparent}), as read by the propagators of the API.
 *
 * <p>The span is named {@code GET /users/:id}, or {@code GET} if no route matches. Its attributes
 * follow the stable semantic conventions for HTTP. It is current in all later middleware and
 * handlers, in every thread mode, see {@link TraceCarrier}.
 *
 * <p>The trace id is the request attribute {@link Request#TRACE_ID}. To log it, use the token
 * {@code :trace-id} of the access log; in JSON it is the field {@code trace_id}.
 *
 * <pre>{@code
 * app.use(Tracing.of(GlobalOpenTelemetry.get()));
 * }</pre>
 */
public final class Tracing implements Middleware, TraitsProvider {

  private static final Set<String> METHODS = Set.copyOf(KnownMethods.ALL);

  /** Query parameters that must be redacted according to the conventions. */
  private static final Set<String> REDACTED =
      Set.of(
          ("awsaccesskeyid signature sig x-goog-signature"
                  + " x-amz-signature x-amz-credential x-amz-security-token")
              .split(" "));

  private static final Pattern PORT = Pattern.compile(":\\d{1,5}");

  private final OpenTelemetry telemetry;
  private final Tracer tracer;

  private Tracing(OpenTelemetry telemetry) {
    this.telemetry = telemetry;
    this.tracer = telemetry.getTracer("dev.percolate");
  }

  /**
   * Creates middleware that traces requests.
   *
   * @param telemetry the API, such as {@code GlobalOpenTelemetry.get()}
   */
  public static Tracing of(OpenTelemetry telemetry) {
    return new Tracing(Objects.requireNonNull(telemetry, "telemetry must not be null"));
  }

  @Override
  public MiddlewareTraits traits() {
    return MiddlewareTraits.of("tracing").once().beforeRoutes().provides(Request.TRACE_ID);
  }

  @Override
  @SuppressWarnings("try") // the scope is not used, only closed
  public void handle(Request req, Response res, Next next) {
    Span current = Span.current();
    if (current.getSpanContext().isValid()) {
      follow(current, req, res, false);
      next.run();
      return;
    }
    Context parent =
        telemetry
            .getPropagators()
            .getTextMapPropagator()
            .extract(Context.current(), req, Sent.HEADERS);
    Span span = start(req, parent);
    follow(span, req, res, true);
    try (Scope unused = parent.with(span).makeCurrent()) {
      next.run();
    }
  }

  private Span start(Request req, Context parent) {
    String method = METHODS.contains(req.method()) ? req.method() : "_OTHER";
    String version = req.httpVersion();
    SpanBuilder builder =
        tracer
            .spanBuilder(method.equals("_OTHER") ? "HTTP" : method)
            .setParent(parent)
            .setSpanKind(SpanKind.SERVER)
            .setAttribute("http.request.method", method)
            .setAttribute("url.scheme", req.protocol())
            .setAttribute("url.path", Target.path(req.originalUrl()))
            .setAttribute("client.address", req.ip())
            .setAttribute("network.peer.address", req.remoteAddress())
            .setAttribute("network.protocol.version", version.equals("2.0") ? "2" : version);
    set(builder, "http.request.method_original", method.equals("_OTHER") ? req.method() : null);
    set(builder, "url.query", redacted(Target.query(req.originalUrl())));
    setServer(builder, req.authority());
    set(builder, "user_agent.original", req.get("User-Agent"));
    return builder.startSpan();
  }

  /** Names the span when the route is known. Ends it with the request if it was created here. */
  private static void follow(Span span, Request req, Response res, boolean ours) {
    if (span.getSpanContext().isValid()) {
      req.attr(Request.TRACE_ID, span.getSpanContext().getTraceId());
    }
    if (!span.isRecording()) {
      if (ours) {
        res.onFinish(span::end);
      }
      return;
    }
    String method = req.method();
    res.onHeaders(() -> name(span, method, req.routePath()));
    res.onFinish(
        () -> {
          if (res.sentStatus() == 0) { // there may have been no headers
            name(span, method, req.routePath());
          }
          if (ours) {
            end(span, res);
          }
        });
  }

  private static void name(Span span, String method, @Nullable String route) {
    if (route != null) {
      span.setAttribute("http.route", route);
      span.updateName((METHODS.contains(method) ? method : "HTTP") + " " + route);
    }
  }

  private static void end(Span span, Response res) {
    int status = res.sentStatus();
    if (status == 0) {
      span.setAttribute("error.type", "aborted");
      span.setStatus(StatusCode.ERROR);
    } else {
      span.setAttribute("http.response.status_code", (long) status);
      if (status >= 500) {
        span.setAttribute("error.type", Integer.toString(status));
        span.setStatus(StatusCode.ERROR);
      }
    }
    span.end();
  }

  /** Sets the host of the request, and its port if the client has sent one. */
  private static void setServer(SpanBuilder builder, @Nullable String authority) {
    if (authority == null || authority.isEmpty()) {
      return;
    }
    String host = Host.withoutPort(authority);
    set(builder, "server.address", host);
    String port = authority.substring(host.length());
    if (PORT.matcher(port).matches()) {
      SpanBuilder unused = builder.setAttribute("server.port", Long.parseLong(port.substring(1)));
    }
  }

  private static void set(SpanBuilder builder, String name, @Nullable String value) {
    if (value != null) {
      SpanBuilder unused = builder.setAttribute(name, value);
    }
  }

  private static @Nullable String redacted(@Nullable String query) {
    if (query == null) {
      return null;
    }
    List<String> pairs = Stream.of(query.split("&", -1)).map(Tracing::redactedPair).toList();
    return String.join("&", pairs);
  }

  private static String redactedPair(String pair) {
    int equals = pair.indexOf('=');
    boolean secret =
        equals > 0 && REDACTED.contains(pair.substring(0, equals).toLowerCase(Locale.ROOT));
    return secret ? pair.substring(0, equals + 1) + "REDACTED" : pair;
  }

  /** Reads the headers of a request for propagators. */
  private enum Sent implements TextMapGetter<Request> {
    HEADERS;

    @Override
    @SuppressWarnings("deprecation") // the interface still declares it
    public Iterable<String> keys(Request req) {
      Set<String> names = new LinkedHashSet<>();
      req.headers().forEach((name, value) -> names.add(name));
      return names;
    }

    /** Returns the values of a repeated header as one list, as for {@code tracestate}. */
    @Override
    public @Nullable String get(@Nullable Request req, String name) {
      return req == null ? null : HeaderValue.joined(req.headers(), name);
    }
  }
}
