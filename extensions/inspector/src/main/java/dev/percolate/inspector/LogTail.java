package dev.percolate.inspector;

import dev.percolate.core.ErrorResponse;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * The last log entries of the process: those of {@code java.util.logging}, and the access log lines
 * of recorded requests. Secrets are masked.
 */
final class LogTail extends Handler {

  static final int MOST = 500;

  private static final int LONGEST = 10_000;
  private static final LogTail OF_PROCESS = new LogTail();

  private final SimpleFormatter formatter = new SimpleFormatter();

  // Guarded by this.
  private final Deque<String> entries = new ArrayDeque<>();
  private boolean attached;

  private LogTail() {
    setLevel(Level.ALL);
  }

  static LogTail ofProcess() {
    return OF_PROCESS;
  }

  /** Starts to receive log records, at the first call. */
  synchronized void attach() {
    if (!attached) {
      attached = true;
      Logger.getLogger("").addHandler(this);
    }
  }

  @Override
  public void publish(LogRecord record) {
    if (isLoggable(record)) {
      Throwable thrown = record.getThrown();
      add(
          LocalTime.ofInstant(record.getInstant(), ZoneId.systemDefault()),
          record.getLevel()
              + " "
              + record.getLoggerName()
              + ": "
              + formatter.formatMessage(record)
              + (thrown == null ? "" : "\n" + ErrorResponse.text(thrown)));
    }
  }

  /** Adds a line of the access log. */
  void accessed(String line) {
    add(LocalTime.now(ZoneId.systemDefault()), line);
  }

  private void add(LocalTime at, String text) {
    String time = at.truncatedTo(ChronoUnit.MILLIS).toString();
    String entry = time + " " + Secrets.text(ShortText.cut(text, LONGEST));
    synchronized (this) {
      entries.addLast(entry);
      if (entries.size() > MOST) {
        entries.removeFirst();
      }
    }
  }

  /**
   * Returns the last entries that contain a text, oldest first.
   *
   * @param most the maximum number
   */
  synchronized List<String> last(int most, String filter) {
    List<String> found = new ArrayList<>(entries);
    found.removeIf(entry -> !entry.contains(filter));
    return List.copyOf(found.subList(Math.max(0, found.size() - most), found.size()));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {}
}
