package dev.percolate.core;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the hooks of an exchange once, when it ends. Hooks that are added later run immediately. */
final class FinishHooks implements Exchange.OnEnd {

  private final SerialExecutor executor;
  private final List<Runnable> hooks = new ArrayList<>(2);
  private boolean over;
  private boolean connectionOver;
  private @Nullable Runnable connectionEnd;

  FinishHooks(SerialExecutor executor) {
    this.executor = executor;
  }

  void add(Runnable hook) {
    boolean late;
    synchronized (this) {
      hooks.add(hook);
      late = over;
    }
    if (late) {
      executor.executeHere(this::runAll);
    }
  }

  synchronized boolean areOver() {
    return over;
  }

  @Override
  public void ended(@Nullable Throwable failure) {
    Runnable end;
    synchronized (this) {
      over = true;
      connectionOver = true;
      end = connectionEnd;
      connectionEnd = null;
    }
    if (end != null) {
      Callbacks.run("a hook for the end of an upgraded connection", end);
    }
    executor.executeHere(this::runAll);
  }

  /** Called when the response is complete, but its connection continues with another protocol. */
  void handOver() {
    synchronized (this) {
      over = true;
    }
    executor.executeHere(this::runAll);
  }

  /** Sets the hook for the end of an upgraded connection. */
  void onConnectionEnd(Runnable hook) {
    synchronized (this) {
      if (!connectionOver) {
        connectionEnd = hook;
        return;
      }
    }
    Callbacks.run("a hook for the end of an upgraded connection", hook);
  }

  private void runAll() {
    for (Runnable hook = next(); hook != null; hook = next()) {
      Callbacks.run("a hook of onFinish", hook);
    }
  }

  private synchronized @Nullable Runnable next() {
    return hooks.isEmpty() ? null : hooks.remove(0);
  }
}
