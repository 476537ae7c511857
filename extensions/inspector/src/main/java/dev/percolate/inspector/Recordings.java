package dev.percolate.inspector;

import dev.percolate.http.JsonText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last requests: at most 200, and 10 MB. Open requests and sockets are kept longer than
 * completed ones.
 */
final class Recordings {

  static final int MOST = 200;
  static final long MOST_BYTES = 10 << 20;

  /** The number of added requests between checks of the size, since each check is slow. */
  private static final int EVERY = 16;

  private final Deque<Timeline> kept = new ArrayDeque<>();
  private final Map<Integer, Long> rejected = new TreeMap<>();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private int added;

  void add(Timeline line) {
    synchronized (this) {
      kept.addLast(line);
      if (kept.size() > MOST) {
        shrink(1, one -> 1);
      }
      added++;
      if (added % EVERY == 0) {
        shrinkToBytes();
      }
    }
    changed(line);
  }

  /** Notifies listeners of a new or completed request. */
  void changed(Timeline line) {
    if (!listeners.isEmpty()) {
      String event = JsonText.of(line.summary());
      listeners.forEach(listener -> listener.accept(event));
    }
  }

  synchronized void rejected(int status) {
    rejected.merge(status, 1L, Long::sum);
  }

  /** Returns the number of requests rejected by the engine, by status code. */
  synchronized Map<String, Long> rejected() {
    Map<String, Long> counts = new TreeMap<>();
    rejected.forEach((status, count) -> counts.put(Integer.toString(status), count));
    return counts;
  }

  /** Returns the requests, newest first. */
  synchronized List<Timeline> all() {
    shrinkToBytes();
    List<Timeline> all = new ArrayList<>();
    kept.descendingIterator().forEachRemaining(all::add);
    return all;
  }

  /** Returns the recorded sockets and the open streams, newest first. */
  List<Map<String, Object>> live() {
    return all().stream().flatMap(line -> Stream.ofNullable(line.live())).toList();
  }

  synchronized @Nullable Timeline find(long id) {
    return kept.stream().filter(line -> line.id == id).findFirst().orElse(null);
  }

  /** Adds a listener for new and completed requests; returns a task that removes it. */
  Runnable listen(Consumer<String> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  int listening() {
    return listeners.size();
  }

  private void shrinkToBytes() {
    shrink(kept.stream().mapToLong(Timeline::weight).sum() - MOST_BYTES, Timeline::weight);
  }

  /** Removes the oldest completed requests, then the oldest of all, until the surplus is gone. */
  private void shrink(long surplus, ToLongFunction<Timeline> weight) {
    long left = surplus;
    for (boolean all : new boolean[] {false, true}) {
      Iterator<Timeline> oldest = kept.iterator();
      while (left > 0 && oldest.hasNext()) {
        Timeline line = oldest.next();
        if (all || !line.goesOn()) {
          left -= weight.applyAsLong(line);
          oldest.remove();
        }
      }
    }
  }
}
