package dev.percolate.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Captures the log of Percolate, without printing it, until it is closed. */
final class LogCapture extends Handler implements AutoCloseable {

  /** A part of the line about unfinished requests; checked by {@link LogCaptureTest}. */
  static final String UNFINISHED = "exceeded the drain timeout";

  /** A part of the line about a blocked event loop; checked by {@link LogCaptureTest}. */
  static final String HELD = "an event loop is blocked";

  private final Logger logger = Logger.getLogger("dev.percolate");

  // Guarded by this.
  private final List<LogRecord> records = new ArrayList<>();

  LogCapture() {
    logger.addHandler(this);
    logger.setUseParentHandlers(false);
  }

  @Override
  public synchronized void publish(LogRecord written) {
    records.add(written);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.setUseParentHandlers(true);
    logger.removeHandler(this);
  }

  /** Returns the number of lines with a throwable, itself or as a cause. */
  synchronized long linesOf(Throwable thrown) {
    return records.stream().filter(line -> tells(line.getThrown(), thrown)).count();
  }

  /** Returns whether a line contains a text. */
  synchronized boolean contains(String text) {
    return records.stream().anyMatch(line -> String.valueOf(line.getMessage()).contains(text));
  }

  private static boolean tells(@Nullable Throwable logged, Throwable thrown) {
    for (Throwable one = logged; one != null; one = one.getCause()) {
      if (one == thrown) {
        return true;
      }
    }
    return false;
  }
}
