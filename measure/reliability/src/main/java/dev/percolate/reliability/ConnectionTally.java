package dev.percolate.reliability;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts how connections of clients ended, and keeps the first faults. */
abstract class ConnectionTally {

  final LongAdder opened = new LongAdder();

  /** Connections that ended too early, or could not be opened. */
  final LongAdder lost = new LongAdder();

  /** Connections that the server closed because the rest of a body did not arrive in time. */
  final LongAdder cut = new LongAdder();

  /**
   * Requests whose client disconnected on purpose, or that followed a cut; they may have entered.
   */
  final LongAdder abandoned = new LongAdder();

  private final Queue<String> notes = new ConcurrentLinkedQueue<>();
  private final AtomicLong noted = new AtomicLong();
  private final int shown;

  /**
   * Creates a tally without counts.
   *
   * @param shown the maximum number of stored faults
   */
  ConnectionTally(int shown) {
    this.shown = shown;
  }

  /** Counts a connection that ended unexpectedly. */
  final void lost(String why) {
    lost.increment();
    note("lost", why);
  }

  final void note(String what, String text) {
    if (noted.incrementAndGet() <= shown) {
      notes.add(what + "\t" + text.replace('\t', ' ').replace('\n', ' '));
    }
  }

  final List<String> notes() {
    return List.copyOf(notes);
  }

  /** Prints the faults, and the counts of connections. */
  final void printConnections() {
    notes.forEach(System.out::println);
    System.out.printf(
        "connections\t%d\t%d\t%d\t%d%n", opened.sum(), lost.sum(), cut.sum(), abandoned.sum());
  }
}
