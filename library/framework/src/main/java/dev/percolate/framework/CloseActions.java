package dev.percolate.framework;

import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Shutdown;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Runs what an application has to do in the end, once, the last action first. */
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

  /** Notes a server of the application, or of one that it is mounted in. */
  void opened() {
    synchronized (actions) {
      servers++;
    }
  }

  /** Notes that such a server has closed; closes with the last. */
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

  /** Runs the actions that have not run; one at a time, so that a second caller waits. */
  @Override
  public synchronized void close() {
    Shutdown.remove(Shutdown.Stage.APPLICATIONS, this);
    for (AutoCloseable action = poll(); action != null; action = poll()) {
      try {
        action.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Throwable e) { // the remaining actions must run
        Callbacks.failed("an action of onClose", e);
      }
    }
  }

  private @Nullable AutoCloseable poll() {
    synchronized (actions) {
      return actions.poll();
    }
  }
}
