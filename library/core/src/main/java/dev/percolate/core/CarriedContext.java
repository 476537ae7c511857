package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * The context that one carrier has captured, linked to the contexts of the other carriers.
 *
 * @param carrier the carrier
 * @param context its context
 * @param further the contexts of other carriers; null if there are none
 * @param <C> the type of the context
 */
record CarriedContext<C>(
    ContextCarrier<C> carrier, C context, @Nullable CarriedContext<?> further) {

  private static final List<ContextCarrier<?>> CARRIERS =
      ServiceLoader.load(ContextCarrier.class).stream()
          .<ContextCarrier<?>>map(ServiceLoader.Provider::get)
          .toList();

  private static final boolean NONE = CARRIERS.isEmpty();

  /** Captures the contexts of the calling thread; returns null if there are none. */
  static @Nullable CarriedContext<?> capture() {
    return NONE ? null : captureAll();
  }

  private static @Nullable CarriedContext<?> captureAll() {
    CarriedContext<?> captured = null;
    for (ContextCarrier<?> carrier : CARRIERS) {
      captured = behind(captured, carrier);
    }
    return captured;
  }

  private static <C> @Nullable CarriedContext<?> behind(
      @Nullable CarriedContext<?> others, ContextCarrier<C> carrier) {
    @Nullable C context = null;
    try {
      context = carrier.capture();
    } catch (Throwable thrown) { // the handler runs without this context
      Callbacks.failed("a context carrier", thrown);
    }
    return context == null ? others : new CarriedContext<>(carrier, context, others);
  }

  /** Runs a task in the captured contexts. */
  static void run(@Nullable CarriedContext<?> captured, Runnable task) {
    if (captured == null) {
      task.run();
    } else {
      captured.run(task);
    }
  }

  private void run(Runnable task) {
    Once once = new Once(() -> run(further, task));
    try {
      carrier.run(context, once);
    } catch (Throwable thrown) {
      if (thrown != once.thrown) {
        Callbacks.failed("a context carrier", thrown);
      }
    }
    if (once.thrown != null) {
      CarriedContext.<RuntimeException>rethrow(once.thrown);
    }
    if (!once.ran) {
      once.run();
    }
  }

  /** Rethrows the exception of a task, even if the carrier caught or wrapped it. */
  @SuppressWarnings("unchecked") // erased, so this also throws checked exceptions
  private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** A task that records whether the carrier has run it. */
  private static final class Once implements Runnable {

    private final Runnable task;
    private boolean ran;
    private @Nullable Throwable thrown;

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      ran = true;
      try {
        task.run();
      } catch (Throwable own) {
        thrown = own;
        throw own;
      }
    }
  }
}
