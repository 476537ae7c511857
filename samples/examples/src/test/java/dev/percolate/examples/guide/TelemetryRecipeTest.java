package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.observability.Tracing;
import dev.percolate.testkit.Call;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Code of the recipe for OpenTelemetry. */
final class TelemetryRecipeTest {

  // #region telemetry
  static final class Telemetry implements AutoCloseable {

    private final OpenTelemetrySdk sdk;

    /** Reads the variables OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME and so on. */
    Telemetry(Map<String, String> defaults) {
      sdk =
          AutoConfiguredOpenTelemetrySdk.builder()
              .disableShutdownHook() // it would drop the spans of a graceful shutdown
              .addPropertiesSupplier(() -> defaults)
              .build()
              .getOpenTelemetrySdk();
    }

    /** Adds spans to an application. Call it before other middleware. */
    void addTo(App app) {
      app.use(Tracing.of(sdk));
      app.onClose(this); // sends the last spans
    }

    OpenTelemetry api() {
      return sdk;
    }

    @Override
    public void close() {
      sdk.close();
    }
  }

  // #endregion telemetry

  @Test
  void requestsHaveATraceId() {
    Map<String, String> nowhere =
        Map.of(
            "otel.traces.exporter", "none",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none");
    try (Telemetry telemetry = new Telemetry(nowhere)) {
      App app = new App();
      telemetry.addTo(app);
      app.get(
          "/orders",
          (req, res) -> {
            telemetry
                .api()
                .getMeter("shop")
                .counterBuilder("orders")
                .build()
                .add(1, Attributes.empty());
            res.send(req.attr(Request.TRACE_ID));
          });
      String parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      assertEquals(
          "0af7651916cd43dd8448eb211c80319c",
          Call.get("/orders").header("traceparent", parent).to(app).text());
    }
  }
}
