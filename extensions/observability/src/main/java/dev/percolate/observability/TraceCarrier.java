package dev.percolate.observability;

import dev.percolate.core.ContextCarrier;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Carries the OpenTelemetry context to the threads that handle a request, so that {@code
 * Span.current()} is correct in all middleware and handlers, in every thread mode. It is active if
 * {@code percolate-observability} and the OpenTelemetry API are on the class path or module path.
 */
public final class TraceCarrier implements ContextCarrier<Object> {

  private final @Nullable Contexts contexts;

  /** Creates a carrier. {@link java.util.ServiceLoader} calls this. */
  public TraceCarrier() {
    this.contexts = contexts();
  }

  /** Returns the context of the calling thread; null if it is empty. */
  @Override
  public @Nullable Object capture() {
    Contexts known = contexts;
    return known == null ? null : known.capture();
  }

  @Override
  public void run(Object context, Runnable task) {
    Contexts.run((Context) context, task);
  }

  /** Returns access to contexts; null without the OpenTelemetry API, as for metrics only. */
  private static @Nullable Contexts contexts() {
    try {
      Contexts found = new Contexts();
      Object unused = found.capture();
      return found;
    } catch (LinkageError e) {
      return null;
    }
  }

  /** A separate class, so that it is loaded only if OpenTelemetry is present. */
  private static final class Contexts {

    @Nullable Object capture() {
      Context current = Context.current();
      return current == Context.root() ? null : current;
    }

    @SuppressWarnings("try") // the scope is not used, only closed
    static void run(Context context, Runnable task) {
      try (Scope unused = context.makeCurrent()) {
        task.run();
      }
    }
  }
}
