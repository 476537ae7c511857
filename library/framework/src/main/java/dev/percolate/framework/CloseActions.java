package dev.percolate.framework;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Shutdown;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Runs the shutdown actions of an application once, in reverse order. */
final class CloseActions implements AutoCloseable {

  private final Deque<AutoCloseable> actions = new ArrayDeque<>();
  private int servers;

  void add(AutoCloseable action) {
    synchronized (actions) {
      if (actions.isEmpty()) {
        Shutdown.add(Shutdown.Stage.APPLICATIONS, this);
      }
      actions.push(action);
    }
  }

  /** Counts a server of the application, or of an application that it is mounted in. */
  void opened() {
    synchronized (actions) {
      servers++;
    }
  }

  /** Removes a server from the count; the last one runs the actions. */
  void closed() {
    boolean last;
    synchronized (actions) {
      servers--;
      last = servers == 0;
    }
    if (last) {
      close();
    }
  }

  /** Runs the remaining actions, one at a time. A concurrent caller waits. */
  @Override
  public synchronized void close() {
    Shutdown.remove(Shutdown.Stage.APPLICATIONS, this);
    for (AutoCloseable action = poll(); action != null; action = poll()) {
      try {
        action.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Throwable e) { // the remaining actions must run
        Callbacks.failed("onClose action", e);
      }
    }
  }

  private @Nullable AutoCloseable poll() {
    synchronized (actions) {
      return actions.poll();
    }
  }
}
