package dev.percolate.dev;

import dev.percolate.http.JsonText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests that were seen last: 200 at most, and 10 MB. */
final class Recordings {

  static final int MOST = 200;
  static final long MOST_BYTES = 10 << 20;

  /** Looking at each is dear, so it is done for so many at once. */
  private static final int EVERY = 16;

  private final Deque<TimeLine> kept = new ArrayDeque<>();
  private final Map<Integer, Long> refused = new TreeMap<>();
  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
  private int added;

  void add(TimeLine line) {
    synchronized (this) {
      kept.addLast(line);
      if (kept.size() > MOST) {
        kept.removeFirst();
      }
      added++;
      if (added % EVERY == 0) {
        shrink();
      }
    }
    changed(line);
  }

  /** Tells those who watch of a request that is new, or over. */
  void changed(TimeLine line) {
    if (!listeners.isEmpty()) {
      String event = JsonText.of(line.summary());
      listeners.forEach(listener -> listener.accept(event));
    }
  }

  synchronized void refused(int status) {
    refused.merge(status, 1L, Long::sum);
  }

  /** Returns how many requests the engine has refused, by status. */
  synchronized Map<String, Long> refused() {
    Map<String, Long> counts = new TreeMap<>();
    refused.forEach((status, count) -> counts.put(Integer.toString(status), count));
    return counts;
  }

  /** Returns the requests, the newest first. */
  synchronized List<TimeLine> all() {
    shrink();
    List<TimeLine> all = new ArrayList<>();
    kept.descendingIterator().forEachRemaining(all::add);
    return all;
  }

  synchronized @Nullable TimeLine find(long id) {
    return kept.stream().filter(line -> line.id == id).findFirst().orElse(null);
  }

  /** Has a listener called with each request that comes or ends; returns what ends that. */
  Runnable listen(Consumer<String> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  int listening() {
    return listeners.size();
  }

  private void shrink() {
    long bytes = 0;
    int keep = 0;
    for (var newest = kept.descendingIterator(); newest.hasNext(); ) {
      bytes += newest.next().weight();
      if (bytes > MOST_BYTES) {
        break;
      }
      keep++;
    }
    while (kept.size() > keep) {
      kept.removeFirst();
    }
  }
}
