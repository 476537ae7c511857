package dev.percolate.reliability;

import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Counts the results of conversations; prints them as lines of columns. */
final class LiveTally {

  final TopicTally topic = new TopicTally();
  private final Consumer<String> notes;
  private final Map<LiveKind, LongAdder> right = new EnumMap<>(LiveKind.class);
  private final Map<LiveKind, LongAdder> wrong = new EnumMap<>(LiveKind.class);
  private final Map<LiveKind, LongAdder> missing = new EnumMap<>(LiveKind.class);
  private final Queue<String> rows = new ConcurrentLinkedQueue<>();
  private final LongAdder abandoned = new LongAdder();

  /**
   * Creates a tally without counts.
   *
   * @param notes receives the faults
   */
  LiveTally(Consumer<String> notes) {
    this.notes = notes;
    for (LiveKind kind : LiveKind.values()) {
      right.put(kind, new LongAdder());
      wrong.put(kind, new LongAdder());
      missing.put(kind, new LongAdder());
    }
  }

  /** How a conversation ended. */
  enum End {
    /** As agreed: with close frames, or the end of a stream. */
    CLEAN,
    /** In any other way, on purpose. */
    BAD,
    /** It may not even have begun. */
    UNOPENED
  }

  /** Counts a conversation without faults. */
  void right(LiveRequest request, End end, int code, LiveCounts counts) {
    count(right, request.kind);
    row(request, end, code, counts);
  }

  void wrong(LiveRequest request, String fault) {
    count(wrong, request.kind);
    notes.accept(request + ": " + fault);
    row(request, End.UNOPENED, 0, new LiveCounts());
  }

  /** Counts a conversation whose connection ended without a reason. */
  void missing(LiveRequest request) {
    count(missing, request.kind);
    row(request, End.UNOPENED, 0, new LiveCounts());
  }

  /** Counts a request that was given up before its response. */
  void abandoned(LiveRequest request) {
    abandoned.increment();
    row(request, End.UNOPENED, 0, new LiveCounts());
  }

  void print() {
    topic.faults().forEach(fault -> notes.accept("topic: " + fault));
    for (LiveKind kind : LiveKind.values()) {
      System.out.printf(
          "kind\t%s\t%d\t0\t%d\t%d%n",
          kind.text(), sum(right, kind), sum(wrong, kind), sum(missing, kind));
    }
    rows.forEach(System.out::println);
    System.out.printf(
        "topic\t%d\t%d\t%d\t%d%n",
        topic.messages(), topic.readings(), topic.messagesRead(), topic.faults().size());
    System.out.printf("unopened\t%d%n", abandoned.sum());
  }

  private void row(LiveRequest request, End end, int code, LiveCounts counts) {
    rows.add(
        "live\t%s\t%s\t%s\t%d\t%s"
            .formatted(request.kind.text(), request.id, end, code, counts.columns()));
  }

  private static void count(Map<LiveKind, LongAdder> counts, LiveKind kind) {
    counts.computeIfAbsent(kind, any -> new LongAdder()).increment();
  }

  private static long sum(Map<LiveKind, LongAdder> counts, LiveKind kind) {
    return counts.computeIfAbsent(kind, any -> new LongAdder()).sum();
  }
}
