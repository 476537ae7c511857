package dev.percolate.reliability;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts how connections of clients have ended, and keeps the first things that were wrong. */
abstract class ConnectionTally {

  final LongAdder opened = new LongAdder();

  /** Connections that ended before they should, or could not be opened. */
  final LongAdder lost = new LongAdder();

  /** Connections that the server closed as the rest of a body did not come in time. */
  final LongAdder cut = new LongAdder();

  /** Requests whose client left on purpose, or behind a cut: nobody knows how far they came. */
  final LongAdder abandoned = new LongAdder();

  private final Queue<String> notes = new ConcurrentLinkedQueue<>();
  private final AtomicLong noted = new AtomicLong();
  private final int shown;

  /**
   * Creates a tally without counts.
   *
   * @param shown how many things that were wrong are kept
   */
  ConnectionTally(int shown) {
    this.shown = shown;
  }

  /** Counts a connection that ended in the midst of it. */
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

  /** Prints the notes, and the counts of connections. */
  final void printConnections() {
    notes.forEach(System.out::println);
    System.out.printf(
        "connections\t%d\t%d\t%d\t%d%n", opened.sum(), lost.sum(), cut.sum(), abandoned.sum());
  }
}
