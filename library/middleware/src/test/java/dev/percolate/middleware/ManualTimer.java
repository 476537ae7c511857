package dev.percolate.middleware;

import dev.percolate.middleware.topic.TopicSubscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A timer whose tasks a test runs explicitly. */
final class ManualTimer implements TopicSubscription.Timer {

  private final List<Runnable> due = new ArrayList<>();

  @Override
  public synchronized Runnable after(Duration time, Runnable task) {
    due.add(task);
    return () -> cancel(task);
  }

  private synchronized void cancel(Runnable task) {
    due.remove(task);
  }

  /** Runs the scheduled tasks, and returns their number. */
  int run() {
    List<Runnable> all;
    synchronized (this) {
      all = List.copyOf(due);
      due.clear();
    }
    all.forEach(Runnable::run);
    return all.size();
  }
}
