package dev.percolate.checks;

import dev.percolate.core.ContextCarrier;
import org.jspecify.annotations.Nullable;

/** A carrier that fails on threads that request it, alternately in capture and in run. */
public final class LoadedCarrier implements ContextCarrier<Fault> {

  static final ThreadLocal<Fault> FAULT = new ThreadLocal<>();

  /** Called by {@link java.util.ServiceLoader}. */
  public LoadedCarrier() {}

  @Override
  public @Nullable Fault capture() {
    Fault fault = FAULT.get();
    return fault == null || fault.raised().size() % 2 == 1 ? fault : fault.raise();
  }

  @Override
  public void run(Fault context, Runnable task) {
    context.run();
  }
}
