/** Metrics with Micrometer and tracing with OpenTelemetry. */
package dev.percolate.observability;
