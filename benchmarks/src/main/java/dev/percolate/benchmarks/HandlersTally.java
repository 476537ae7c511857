package dev.percolate.benchmarks;

import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what the clients of a {@link HandlersServer} have found; prints it as lines of columns.
 */
final class HandlersTally {

  private static final int SHOWN = 10;

  final LongAdder opened = new LongAdder();

  /** Connections that ended before they should, or could not be opened. */
  final LongAdder lost = new LongAdder();

  /** Connections that the server closed as the rest of a body did not come in time. */
  final LongAdder cut = new LongAdder();

  /** Requests whose client left on purpose, or behind a cut: nobody knows how far they came. */
  final LongAdder abandoned = new LongAdder();

  private final Map<HandlerKind, Counts> kinds = new EnumMap<>(HandlerKind.class);
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final AtomicLong noted = new AtomicLong();

  /** The counts of one kind. */
  private static final class Counts {
    final LongAdder right = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder wrong = new LongAdder();
    final LongAdder missing = new LongAdder();
  }

  HandlersTally() {
    for (HandlerKind kind : HandlerKind.values()) {
      kinds.put(kind, new Counts());
    }
  }

  /** Counts a right answer, which may be that of a time that was over. */
  void right(HandlerRequest request, boolean late) {
    of(request).right.increment();
    if (late) {
      of(request).late.increment();
    }
  }

  void wrong(HandlerRequest request, String fault) {
    of(request).wrong.increment();
    note("wrong", request + ": " + fault);
  }

  void missing(HandlerRequest request) {
    of(request).missing.increment();
  }

  /** Counts a connection that ended in the midst of it. */
  void lost(String why) {
    lost.increment();
    note("lost", why);
  }

  void print() {
    kinds.forEach(
        (kind, counts) ->
            System.out.printf(
                "kind\t%s\t%d\t%d\t%d\t%d%n",
                kind.text(),
                counts.right.sum(),
                counts.late.sum(),
                counts.wrong.sum(),
                counts.missing.sum()));
    faults.forEach(System.out::println);
    System.out.printf(
        "connections\t%d\t%d\t%d\t%d%n", opened.sum(), lost.sum(), cut.sum(), abandoned.sum());
  }

  private Counts of(HandlerRequest request) {
    return kinds.computeIfAbsent(request.kind, any -> new Counts());
  }

  private void note(String what, String text) {
    if (noted.incrementAndGet() <= SHOWN) {
      faults.add(what + "\t" + text.replace('\t', ' ').replace('\n', ' '));
    }
  }
}
