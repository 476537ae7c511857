import org.jspecify.annotations.NullMarked;

/** Metrics with Micrometer and tracing with OpenTelemetry. */
@NullMarked
module dev.percolate.observability {
  requires transitive dev.percolate.core;
  requires static transitive micrometer.core;
  requires static transitive io.opentelemetry.api;
  requires static transitive io.opentelemetry.context;
  requires static org.jspecify;

  exports dev.percolate.observability;

  provides dev.percolate.core.ContextCarrier with
      dev.percolate.observability.TraceCarrier;
}
