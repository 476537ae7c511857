package dev.percolate.reliability;

import dev.percolate.core.Key;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Records each request: its steps, of which no two run at the same time, its end, and its log line.
 * Each request has one log line, and a WebSocket has a second one at its end. Anything else is a
 * fault. Also records the messages of conversations.
 */
final class Ledger {

  /** The format of log lines; the last five fields are for WebSockets that have ended. */
  static final String FORMAT =
      ":req[x-id] :status :ws-close :ws-messages-in :ws-messages-out :ws-bytes-in :ws-bytes-out";

  /** The entry of a request. */
  static final Key<Entry> ENTRY = Key.of("ledger entry", Entry.class);

  private static final int SHOWN = 5;
  private static final int SETTLING_MS = 2_000;
  private static final int CODE = 2;
  private static final String SWITCHED = "101";

  private final Map<String, Entry> open = new ConcurrentHashMap<>();
  private final LongAdder entered = new LongAdder();
  private final LongAdder nameless = new LongAdder();
  private final AtomicLong faults = new AtomicLong();
  private final Queue<String> texts = new ConcurrentLinkedQueue<>();
  private final @Nullable Queue<String> names;
  private final Queue<String> conversations = new ConcurrentLinkedQueue<>();

  /** An action that runs on the turn of a request. */
  @FunctionalInterface
  interface Step {
    void run() throws Exception;
  }

  /** One request. */
  final class Entry {

    final String id;
    final String kind;
    private final long began = System.nanoTime();
    private @Nullable Thread owner;
    private int depth;
    private int heads;
    private int ends;
    private int lines;
    private int due = 1;
    private boolean counting;

    private Entry(String id, String kind) {
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

    /** Returns true if the request entered at least this long ago. */
    boolean isOlderThan(long milliseconds) {
      return System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(milliseconds);
    }

    /** Records that the head of the response is about to be sent. */
    synchronized void answered() {
      expect(++heads == 1, "has two heads");
    }

    /** Records the end of the request, which runs on its turn like a step. */
    void ended() {
      enter();
      synchronized (this) {
        expect(++ends == 1, "has two ends");
        forget();
      }
      leave();
    }

    /** Records that sent messages are counted, and will be reported with {@link #counted}. */
    synchronized void counting() {
      counting = true;
    }

    /**
     * Records the sent messages.
     *
     * @param begun the number of messages whose sending began
     * @param sent the number of them that are sent as far as their sender knows
     */
    void counted(int begun, int sent) {
      conversations.add("%s\t%s\t%d\t%d".formatted(kind, id, begun, sent));
      synchronized (this) {
        expect(counting, "has two ends of its series");
        counting = false;
        forget();
      }
    }

    void fault(String what) {
      Ledger.this.fault(kind + " " + id + " " + what);
    }

    private synchronized void enter() {
      expect(depth == 0 || owner == Thread.currentThread(), "runs two steps at the same time");
      owner = Thread.currentThread();
      depth++;
    }

    private synchronized void leave() {
      depth--;
    }

    private synchronized void logged(String[] fields) {
      boolean switched = fields[1].equals(SWITCHED);
      boolean closed = !fields[CODE].equals("-");
      expect(++lines <= (switched ? 2 : 1), "has too many log lines");
      expect(closed == (lines == 2), "has its first and last log lines in the wrong order");
      due = switched ? 2 : 1;
      if (closed) {
        conversations.add(kind + "\t" + id + "\t" + String.join("\t", fields).split("\t", 3)[2]);
      }
      forget();
    }

    private void forget() {
      if (ends > 0 && lines >= due && !counting) {
        open.remove(id);
      }
    }

    private void expect(boolean right, String otherwise) {
      if (!right) {
        fault(otherwise);
      }
    }

    private synchronized String state() {
      return "%s %s: %d heads, %d ends, %d of %d log lines%s"
          .formatted(kind, id, heads, ends, lines, due, counting ? ", a series in progress" : "");
    }
  }

  /**
   * Creates a ledger.
   *
   * @param names whether it keeps the ids of all requests, for {@link #write}
   */
  Ledger(boolean names) {
    this.names = names ? new ConcurrentLinkedQueue<>() : null;
  }

  /** Opens the entry of a request. */
  Entry enter(String id, String kind) {
    entered.increment();
    if (names != null) {
      names.add(id);
    }
    Entry entry = new Entry(id, kind);
    if (open.put(id, entry) != null) {
      entry.fault("entered twice");
    }
    return entry;
  }

  /** Records a log line in the format {@link #FORMAT}. */
  void line(String line) {
    String[] fields = line.strip().split(" ");
    Entry entry = open.get(fields[0]);
    if (entry != null) {
      entry.logged(fields);
    } else if (fields[0].equals("-")) {
      nameless.increment();
    } else {
      fault("a log line without an open request: " + line.strip());
    }
  }

  /** Returns all counts as lines of tab-separated columns. */
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

  /**
   * Returns the counts of each conversation that has ended, as lines of tab-separated columns: its
   * kind and id; for a WebSocket the close code, messages in and out, bytes in and out; for a
   * series of events how many were begun and how many sent.
   */
  String conversations() {
    return String.join("\n", conversations);
  }

  /**
   * Writes the ledger at the end of a server, after giving open requests some time to end.
   *
   * @param folder gets the files {@code counts}, {@code conversations} and {@code entered}, the ids
   */
  void write(Path folder) throws IOException {
    for (int i = 0; i < SETTLING_MS && !open.isEmpty(); i++) {
      RequestWriter.pause(1);
    }
    Files.writeString(folder.resolve("counts"), text());
    Files.writeString(folder.resolve("conversations"), conversations());
    if (names != null) {
      Files.write(folder.resolve("entered"), names);
    }
  }

  private void fault(String what) {
    if (faults.incrementAndGet() <= SHOWN) {
      texts.add(what.replace('\t', ' '));
    }
  }
}
