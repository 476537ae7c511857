package dev.percolate.dev;

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
 * The requests that were seen last: 200 at most, and 10 MB. Those that go on, such as sockets, stay
 * longer than those that are over.
 */
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
        shrink(1, one -> 1);
      }
      added++;
      if (added % EVERY == 0) {
        shrinkToBytes();
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
    shrinkToBytes();
    List<TimeLine> all = new ArrayList<>();
    kept.descendingIterator().forEachRemaining(all::add);
    return all;
  }

  /** Returns the sockets that are kept, and the streams that go on, the newest first. */
  List<Map<String, Object>> live() {
    return all().stream().flatMap(line -> Stream.ofNullable(line.live())).toList();
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

  private void shrinkToBytes() {
    shrink(kept.stream().mapToLong(TimeLine::weight).sum() - MOST_BYTES, TimeLine::weight);
  }

  /** Drops what is oldest: first of those that are over, then of all, until it is enough. */
  private void shrink(long surplus, ToLongFunction<TimeLine> weight) {
    long left = surplus;
    for (boolean all : new boolean[] {false, true}) {
      Iterator<TimeLine> oldest = kept.iterator();
      while (left > 0 && oldest.hasNext()) {
        TimeLine line = oldest.next();
        if (all || !line.goesOn()) {
          left -= weight.applyAsLong(line);
          oldest.remove();
        }
      }
    }
  }
}
