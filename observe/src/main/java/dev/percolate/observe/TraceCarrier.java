package dev.percolate.observe;

import dev.percolate.core.ContextCarrier;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Carries the context of OpenTelemetry with a request, so that {@code Span.current()} is right in
 * every step, in every thread mode. It works as soon as its artifact is there, and OpenTelemetry.
 */
public final class TraceCarrier implements ContextCarrier<Object> {

  private final @Nullable Contexts contexts;

  /** Creates a carrier; {@link java.util.ServiceLoader} does. */
  public TraceCarrier() {
    this.contexts = contexts();
  }

  /** Returns the context of the calling thread; null if it is the empty one. */
  @Override
  public @Nullable Object capture() {
    Contexts known = contexts;
    return known == null ? null : known.capture();
  }

  @Override
  public void run(Object context, Runnable task) {
    Contexts.run((Context) context, task);
  }

  /** Returns what knows contexts; null where only metrics are wanted, and there is no API. */
  private static @Nullable Contexts contexts() {
    try {
      Contexts found = new Contexts();
      Object unused = found.capture();
      return found;
    } catch (LinkageError e) {
      return null;
    }
  }

  /** Apart, since it is loaded only where there is OpenTelemetry. */
  private static final class Contexts {

    @Nullable Object capture() {
      Context current = Context.current();
      return current == Context.root() ? null : current;
    }

    @SuppressWarnings("try") // the scope is there to be closed
    static void run(Context context, Runnable task) {
      try (Scope unused = context.makeCurrent()) {
        task.run();
      }
    }
  }
}
