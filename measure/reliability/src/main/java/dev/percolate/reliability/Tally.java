package dev.percolate.reliability;

import dev.percolate.reliability.Question.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Counts the results for each kind of request; prints them as lines of columns. */
final class Tally extends ConnectionTally {

  private static final int SHOWN = 5;

  /** The resolution of waiting times on a logarithmic scale: a twelfth. */
  private static final int STEPS = 12;

  private final Map<Kind, Counts> kinds = new EnumMap<>(Kind.class);

  /** The counts of one kind. */
  private static final class Counts {
    final LongAdder right = new LongAdder();
    final LongAdder wrong = new LongAdder();
    final LongAdder missing = new LongAdder();
    final AtomicLongArray waits = new AtomicLongArray(26 * STEPS);
  }

  Tally() {
    super(SHOWN);
    for (Kind kind : Kind.values()) {
      kinds.put(kind, new Counts());
    }
  }

  void right(Question question) {
    of(question).right.increment();
  }

  void wrong(Question question, String fault) {
    of(question).wrong.increment();
    note("wrong", question.kind.text() + " " + question.target + ": " + fault);
  }

  /** Counts a missing response. */
  void missing(Question question) {
    of(question).missing.increment();
  }

  /** Counts the waiting time of one request. */
  void waited(Question question, long nanos) {
    AtomicLongArray waits = of(question).waits;
    int step = (int) (Math.log(nanos / 1e3 + 1) * STEPS);
    waits.incrementAndGet(Math.min(step, waits.length() - 1));
  }

  /** Returns the number of right responses. */
  long right() {
    return kinds.values().stream().mapToLong(counts -> counts.right.sum()).sum();
  }

  /** Returns the first faults: wrong or missing responses, and lost connections. */
  List<String> faults() {
    List<String> found = new ArrayList<>(notes());
    kinds.forEach(
        (kind, counts) -> {
          if (counts.wrong.sum() + counts.missing.sum() > 0) {
            found.add(kind.text() + ": " + counts.wrong + " wrong, " + counts.missing + " missing");
          }
        });
    return found;
  }

  void print() {
    kinds.forEach(
        (kind, counts) ->
            System.out.printf(
                Locale.ROOT,
                "kind\t%s\t%d\t%d\t%d\t%.2f\t%.2f%n",
                kind.text(),
                counts.right.sum(),
                counts.wrong.sum(),
                counts.missing.sum(),
                wait(counts.waits, 0.5),
                wait(counts.waits, 0.99)));
    printConnections();
  }

  private Counts of(Question question) {
    Counts counts = kinds.get(question.kind);
    if (counts == null) {
      throw new IllegalStateException(question.kind.text());
    }
    return counts;
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
