package dev.percolate.reliability;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the results of all clients of a load: for each kind of request, and how connections ended.
 * Keeps the first faults. Prints lines of tab-separated columns:
 *
 * <pre>
 *   kind         its name, right responses, those of them after a timeout, wrong and missing ones,
 *                p50 and p99 in milliseconds of requests that were sent alone
 *   wrong, lost  a fault; the first ten
 *   unanswered   the id of a request without a response, because a server was stopped
 *   connections  opened, lost, closed because of a late body; and the number of requests given up
 * </pre>
 */
final class Tally {

  private static final int SHOWN = 10;

  /** The resolution of waiting times on a logarithmic scale: a twelfth. */
  private static final int STEPS = 12;

  final LongAdder opened = new LongAdder();

  /** Connections that ended too early, or could not be opened. */
  final LongAdder lost = new LongAdder();

  /** Connections that the server closed because the rest of a body did not arrive in time. */
  final LongAdder cut = new LongAdder();

  /**
   * Requests whose client disconnected on purpose, or that followed a cut; they may have entered.
   */
  final LongAdder abandoned = new LongAdder();

  private final Map<String, Counts> kinds = new ConcurrentSkipListMap<>();
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();
  private final Queue<String> notes = new ConcurrentLinkedQueue<>();
  private final AtomicLong noted = new AtomicLong();

  /** The counts of one kind. */
  private static final class Counts {
    final LongAdder right = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder wrong = new LongAdder();
    final LongAdder missing = new LongAdder();
    final AtomicLongArray waits = new AtomicLongArray(26 * STEPS);
  }

  /**
   * Counts a right response.
   *
   * @param late whether it is that of a timeout
   */
  void right(String kind, boolean late) {
    Counts counts = of(kind);
    counts.right.increment();
    if (late) {
      counts.late.increment();
    }
  }

  /**
   * Counts a wrong response.
   *
   * @param request the kind and what else identifies the request
   */
  void wrong(String kind, Object request, String fault) {
    of(kind).wrong.increment();
    note("wrong", request + ": " + fault);
  }

  /** Counts a missing response. */
  void missing(String kind) {
    of(kind).missing.increment();
  }

  /** Counts the waiting time of one request. */
  void waited(String kind, long nanos) {
    AtomicLongArray waits = of(kind).waits;
    int step = (int) (Math.log(nanos / 1e3 + 1) * STEPS);
    waits.incrementAndGet(Math.min(step, waits.length() - 1));
  }

  /** Records a request without a response, because its connection ended. */
  void unanswered(String id) {
    unanswered.add(id);
  }

  /** Counts a connection that ended unexpectedly. */
  void lost(String why) {
    lost.increment();
    note("lost", why);
  }

  void note(String what, String text) {
    if (noted.incrementAndGet() <= SHOWN) {
      notes.add(what + "\t" + text.replace('\t', ' ').replace('\n', ' '));
    }
  }

  /** Returns the number of right responses. */
  long right() {
    return kinds.values().stream().mapToLong(counts -> counts.right.sum()).sum();
  }

  /** Returns the first faults: wrong or missing responses, and lost connections. */
  List<String> faults() {
    List<String> found = new ArrayList<>(notes);
    kinds.forEach(
        (kind, counts) -> {
          if (counts.wrong.sum() + counts.missing.sum() > 0) {
            found.add(kind + ": " + counts.wrong + " wrong, " + counts.missing + " missing");
          }
        });
    return found;
  }

  void print() {
    kinds.forEach(
        (kind, counts) ->
            System.out.printf(
                Locale.ROOT,
                "kind\t%s\t%d\t%d\t%d\t%d\t%.2f\t%.2f%n",
                kind,
                counts.right.sum(),
                counts.late.sum(),
                counts.wrong.sum(),
                counts.missing.sum(),
                wait(counts.waits, 0.5),
                wait(counts.waits, 0.99)));
    unanswered.forEach(id -> System.out.println("unanswered\t" + id));
    notes.forEach(System.out::println);
    System.out.printf(
        "connections\t%d\t%d\t%d\t%d%n", opened.sum(), lost.sum(), cut.sum(), abandoned.sum());
  }

  private Counts of(String kind) {
    return kinds.computeIfAbsent(kind, any -> new Counts());
  }

  /** Returns the percentile of the waiting times, in milliseconds. */
  private static double wait(AtomicLongArray waits, double part) {
    long sum = 0;
    for (int i = 0; i < waits.length(); i++) {
      sum += waits.get(i);
    }
    long left = (long) Math.ceil(sum * part);
    int step = 0;
    while (step < waits.length() - 1 && (left -= waits.get(step)) > 0) {
      step++;
    }
    return sum == 0 ? 0 : Math.expm1((step + 1.0) / STEPS) / 1e3;
  }
}
