package dev.percolate.observability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Request;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.TestExchange;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TracingTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final OpenTelemetrySdk telemetry =
      OpenTelemetrySdk.builder()
          .setTracerProvider(
              SdkTracerProvider.builder()
                  .addSpanProcessor(SimpleSpanProcessor.create(spans))
                  .build())
          .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
          .build();
  // #region tracing
  private final App app = new App().use(Tracing.of(telemetry));

  // #endregion tracing

  @AfterEach
  void close() {
    telemetry.close();
  }

  @Test
  void aRequestIsASpanNamedByItsRoute() {
    App inner = new App();
    inner.get("/users/:id", (req, res) -> res.status(201).send(req.attr(Request.TRACE_ID)));
    app.use("/api", inner);
    Call call = Call.get("/api/users/7?q=1&sig=abc").header("User-Agent", "probe");
    String trace = call.header("traceparent", PARENT).to(app).text();
    SpanData span = only();
    assertEquals("GET /api/users/:id", span.getName());
    assertEquals(SpanKind.SERVER, span.getKind());
    assertEquals(TRACE, span.getTraceId());
    assertEquals(TRACE, trace);
    assertEquals("b7ad6b7169203331", span.getParentSpanId());
    assertEquals("/api/users/:id", text(span, "http.route"));
    assertEquals("GET", text(span, "http.request.method"));
    assertEquals("/api/users/7", text(span, "url.path"));
    assertEquals("q=1&sig=REDACTED", text(span, "url.query"));
    assertEquals("http", text(span, "url.scheme"));
    assertEquals("probe", text(span, "user_agent.original"));
    AttributeKey<Long> status = AttributeKey.longKey("http.response.status_code");
    assertEquals(201L, span.getAttributes().get(status));
    assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
  }

  @Test
  void signaturesOfLinksAreRedacted() {
    Call.get("/x?X-Amz-Credential=a&X-Amz-Signature=b&X-Amz-Expires=60&x-amz-security-token=c")
        .to(app);
    assertEquals(
        "X-Amz-Credential=REDACTED&X-Amz-Signature=REDACTED&X-Amz-Expires=60"
            + "&x-amz-security-token=REDACTED",
        text(only(), "url.query"));
  }

  @Test
  void theVersionsOfTheProtocolAreThoseOfTheConventions() {
    TestExchange.of("GET", "/").httpVersion("2.0").serve(app);
    assertEquals("2", text(only(), "network.protocol.version"));
    spans.reset();
    Call.get("/").to(app);
    assertEquals("1.1", text(only(), "network.protocol.version"));
  }

  @Test
  void theRequestedHostAndPortAreAttributes() {
    AttributeKey<Long> port = AttributeKey.longKey("server.port");
    TestExchange.of("GET", "/").header("Host", "shop.example:8080").serve(app);
    assertEquals("shop.example", text(only(), "server.address"));
    assertEquals(8080L, only().getAttributes().get(port));
    spans.reset();
    TestExchange.of("GET", "/").header("Host", "[::1]").serve(app);
    assertEquals("[::1]", text(only(), "server.address"));
    assertNull(only().getAttributes().get(port));
  }

  @Test
  void repeatedHeadersAreCombined() {
    Call call = Call.get("/").header("traceparent", PARENT);
    call.header("tracestate", "a=1").header("tracestate", "b=2").to(app);
    TraceState state = only().getSpanContext().getTraceState();
    assertEquals("1 2", state.get("a") + " " + state.get("b"));
  }

  @Test
  void aRepeatedParentIsIgnored() {
    String other = PARENT.replace(TRACE, "1".repeat(32));
    Call.get("/").header("traceparent", PARENT).header("traceparent", other).to(app);
    assertFalse(only().getParentSpanContext().isValid());
  }

  @Test
  void unmatchedPathsAreNotInTheSpanName() {
    Call.get("/scan/1").to(app);
    assertEquals("GET", only().getName());
    assertNull(text(only(), "http.route"));
    spans.reset();
    Call.of("M1", "/scan/1").to(app);
    assertEquals("HTTP", only().getName());
    assertEquals("_OTHER", text(only(), "http.request.method"));
  }

  @Test
  void errorsHaveTheRouteAndStatusOfTheErrorHandler() {
    app.get(
        "/x/:y",
        (req, res) -> {
          throw new IllegalStateException("x");
        });
    app.use((error, req, res, next) -> res.status(503).send(error.getMessage()));
    Call.get("/x/1").to(app);
    assertEquals("GET /x/:y", only().getName());
    assertEquals("503", text(only(), "error.type"));
    assertEquals(StatusCode.ERROR, only().getStatus().getStatusCode());
  }

  @Test
  void aRequestWhoseClientHasDisconnectedHasItsRoute() {
    app.get("/wait/:id", (req, res) -> {});
    TestExchange.of("GET", "/wait/7").serve(app).disconnect();
    assertEquals("GET /wait/:id", only().getName());
    assertEquals("/wait/:id", text(only(), "http.route"));
    assertEquals("aborted", text(only(), "error.type"));
  }

  @Test
  @SuppressWarnings("try") // the scope is not used, only closed
  void aCurrentSpanIsUsedAndNotEnded() {
    Span outer = telemetry.getTracer("agent").spanBuilder("GET").startSpan();
    App around = new App();
    around.use(
        (req, res, next) -> {
          try (Scope unused = outer.makeCurrent()) {
            next.run();
          }
        });
    around.use(Tracing.of(telemetry)).get("/u/:id", (req, res) -> res.send("x"));
    Call.get("/u/7").to(around);
    assertEquals(List.of(), spans.getFinishedSpanItems());
    outer.end();
    assertEquals("GET /u/:id", only().getName());
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void theSpanIsCurrentInAllHandlersInEveryThreadMode(ThreadMode threads) {
    assumeTrue(threads != ThreadMode.VIRTUAL || VirtualThreads.available());
    app.use(BodyParsers.json());
    app.use(
        (req, res, next) -> {
          CompletableFuture<Void> unused = CompletableFuture.runAsync(next);
        });
    app.post(
        "/x",
        (req, res, next) -> next.fail(new IllegalStateException(current())),
        (req, res) -> res.send("never"));
    app.use((error, req, res, next) -> res.send(error.getMessage() + " " + current()));
    try (MemoryEngine engine = new MemoryEngine(threads);
        Client client = engine.client(app)) {
      Call call = Call.post("/x").header("Content-Type", "application/json").body("{}");
      String id = call.to(client).text();
      assertEquals(only().getSpanId() + " " + only().getSpanId(), id);
    }
  }

  private static String current() {
    return Span.current().getSpanContext().getSpanId();
  }

  private SpanData only() {
    List<SpanData> all = spans.getFinishedSpanItems();
    assertEquals(1, all.size());
    return all.get(0);
  }

  private static @Nullable String text(SpanData span, String name) {
    return span.getAttributes().get(AttributeKey.stringKey(name));
  }
}
