package dev.percolate.reliability;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Counts the results of conversations; prints them as lines of columns. */
final class LiveTally {

  final TopicTally topic = new TopicTally();
  private final Tally tally;
  private final Queue<String> rows = new ConcurrentLinkedQueue<>();
  private final LongAdder abandoned = new LongAdder();

  /**
   * Creates a tally without counts.
   *
   * @param tally counts each conversation as a request, and keeps the faults
   */
  LiveTally(Tally tally) {
    this.tally = tally;
  }

  /** How a conversation ended. */
  enum End {
    /** As agreed: with close frames, or the end of a stream. */
    CLEAN,
    /** In any other way, on purpose. */
    BAD,
    /** Possibly ended before it began. */
    UNOPENED
  }

  /** Counts a conversation without faults. */
  void right(LiveRequest request, End end, int code, LiveCounts counts) {
    tally.right(request.kind.text(), false);
    row(request, end, code, counts);
  }

  void wrong(LiveRequest request, String fault) {
    tally.wrong(request.kind.text(), request, fault);
    row(request, End.UNOPENED, 0, new LiveCounts());
  }

  /** Counts a conversation whose connection ended without a reason. */
  void missing(LiveRequest request) {
    tally.missing(request.kind.text());
    row(request, End.UNOPENED, 0, new LiveCounts());
  }

  /** Counts a request that was given up before its response. */
  void abandoned(LiveRequest request) {
    abandoned.increment();
    row(request, End.UNOPENED, 0, new LiveCounts());
  }

  void print() {
    topic.faults().forEach(fault -> tally.note("wrong", "topic: " + fault));
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
}
