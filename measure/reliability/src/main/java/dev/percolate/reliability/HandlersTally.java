package dev.percolate.reliability;

import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the results of the clients of a {@link HandlersServer}; prints them as lines of columns.
 */
final class HandlersTally extends ConnectionTally {

  private static final int SHOWN = 10;

  final LiveTally live = new LiveTally(fault -> note("wrong", fault));
  private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();
  private final Map<HandlerKind, Counts> kinds = new EnumMap<>(HandlerKind.class);

  /** The counts of one kind. */
  private static final class Counts {
    final LongAdder right = new LongAdder();
    final LongAdder late = new LongAdder();
    final LongAdder wrong = new LongAdder();
    final LongAdder missing = new LongAdder();
  }

  HandlersTally() {
    super(SHOWN);
    for (HandlerKind kind : HandlerKind.values()) {
      kinds.put(kind, new Counts());
    }
  }

  /** Counts a right response, which may be that of a timeout. */
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

  /** Records a request without a response, because its connection ended. */
  void unanswered(String id) {
    unanswered.add(id);
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
    unanswered.forEach(id -> System.out.println("unanswered\t" + id));
    live.print();
    printConnections();
  }

  private Counts of(HandlerRequest request) {
    return kinds.computeIfAbsent(request.kind, any -> new Counts());
  }
}
