package dev.percolate.reliability;

import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Notes what becomes of each request: its steps, of which no two run at a time, its end, and its
 * log line, of which there is one each. Whatever is not so is a fault.
 */
final class Ledger {

  private static final int SHOWN = 5;

  private final Map<String, Entry> open = new ConcurrentHashMap<>();
  private final LongAdder entered = new LongAdder();
  private final LongAdder nameless = new LongAdder();
  private final AtomicLong faults = new AtomicLong();
  private final Queue<String> texts = new ConcurrentLinkedQueue<>();

  /** What is done on the turn of a request. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  /** One request. */
  final class Entry {

    final String id;
    final HandlerKind kind;
    private final long began = System.nanoTime();
    private @Nullable Thread owner;
    private int depth;
    private int heads;
    private int ends;
    private int lines;

    private Entry(String id, HandlerKind kind) {
      this.id = id;
      this.kind = kind;
    }

    void step(Step step) throws Exception {
      enter();
      try {
        step.run();
      } finally {
        leave();
      }
    }

    /** Tells whether it entered so long ago. */
    boolean isOlderThan(long milliseconds) {
      return System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    /** Notes that the head of its answer is about to go out. */
    synchronized void answered() {
      expect(++heads == 1, "has two heads");
    }

    /** Notes its end, which comes on its turn like a step. */
    void ended() {
      enter();
      synchronized (this) {
        expect(++ends == 1, "has two ends");
        forget();
      }
      leave();
    }

    void fault(String what) {
      Ledger.this.fault(kind.text() + " " + id + " " + what);
    }

    private synchronized void enter() {
      expect(depth == 0 || owner == Thread.currentThread(), "has two steps at a time");
      owner = Thread.currentThread();
      depth++;
    }

    private synchronized void leave() {
      depth--;
    }

    private synchronized void logged() {
      expect(++lines == 1, "has two log lines");
      forget();
    }

    private void forget() {
      if (ends > 0 && lines > 0) {
        open.remove(id);
      }
    }

    private void expect(boolean right, String otherwise) {
      if (!right) {
        fault(otherwise);
      }
    }

    private synchronized String state() {
      return "%s %s: %d heads, %d ends, %d log lines"
          .formatted(kind.text(), id, heads, ends, lines);
    }
  }

  /** Opens the entry of a request. */
  Entry enter(String id, HandlerKind kind) {
    entered.increment();
    Entry entry = new Entry(id, kind);
    if (open.put(id, entry) != null) {
      entry.fault("has entered twice");
    }
    return entry;
  }

  /** Takes a log line, which begins with the request's id. */
  void line(String line) {
    String id = line.substring(0, line.indexOf(' '));
    Entry entry = open.get(id);
    if (entry != null) {
      entry.logged();
    } else if (id.equals("-")) {
      nameless.increment();
    } else {
      fault("a second log line, or one of no request: " + line.strip());
    }
  }

  /** Returns all counts as lines of columns, parted by tabs. */
  String text() {
    StringBuilder text = new StringBuilder();
    text.append("entered\t").append(entered.sum()).append('\n');
    text.append("nameless\t").append(nameless.sum()).append('\n');
    text.append("open\t").append(open.size()).append('\n');
    text.append("faults\t").append(faults.get()).append('\n');
    texts.forEach(fault -> text.append("fault\t").append(fault).append('\n'));
    open.values().stream()
        .limit(SHOWN)
        .forEach(entry -> text.append("left\t").append(entry.state()).append('\n'));
    return text.toString();
  }

  private void fault(String what) {
    if (faults.incrementAndGet() <= SHOWN) {
      texts.add(what.replace('\t', ' '));
    }
  }
}
