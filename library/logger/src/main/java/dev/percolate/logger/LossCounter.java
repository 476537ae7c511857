package dev.percolate.logger;

import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.RareWarning;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts lost lines and logs warnings: the first at once, more at most once a minute. The total
 * follows when lines are written again, when the log is closed, or after a minute, so every lost
 * line is counted in a warning.
 */
final class LossCounter {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RareWarning warning;
  private final RareWarning recovery;
  private final BiConsumer<String, @Nullable Throwable> report;
  private final Consumer<Runnable> timer;
  private final LongAdder lost = new LongAdder();

  /** The number of lost lines that warnings have reported. */
  private final AtomicLong counted = new AtomicLong();

  /** Whether the timer is running. */
  private final AtomicBoolean waits = new AtomicBoolean();

  LossCounter() {
    this(System::nanoTime, LossCounter::log, LossCounter::inAMinute);
  }

  /**
   * Creates a counter.
   *
   * @param ticker returns nanoseconds
   * @param report receives the warnings
   * @param timer runs a task after a minute
   */
  LossCounter(
      LongSupplier ticker,
      BiConsumer<String, @Nullable Throwable> report,
      Consumer<Runnable> timer) {
    this.warning = new RareWarning(ticker);
    this.recovery = new RareWarning(ticker);
    this.report = report;
    this.timer = timer;
  }

  /**
   * Counts lost lines. Never throws, even if the warning cannot be logged.
   *
   * @param lines the number of lines
   * @param what the reason
   * @param cause the exception, or null
   */
  void raise(int lines, String what, @Nullable Throwable cause) {
    lost.add(lines);
    if (warning.isDue()) {
      warn(what, cause);
    } else {
      countLater();
    }
  }

  /** Called after lines are written. Reports lines that were lost before. */
  void written() {
    if (owesCount() && recovery.isDue()) {
      warn("log lines are written again", null);
    }
  }

  /** Called when the log is closed. Reports the last lost lines. */
  void closed() {
    if (owesCount()) {
      warn("the log is closed", null);
    }
  }

  long lost() {
    return lost.sum();
  }

  private boolean owesCount() {
    return lost() > counted.get();
  }

  private void countLater() {
    if (owesCount() && waits.compareAndSet(false, true)) {
      try {
        timer.accept(this::minuteOver);
      } catch (Throwable ignored) { // such as an OutOfMemoryError: the next loss tries again
        waits.set(false);
      }
    }
  }

  private void minuteOver() {
    waits.set(false);
    if (owesCount() && warning.isDue()) {
      warn("log lines were lost", null);
    } else {
      countLater();
    }
  }

  private void warn(String what, @Nullable Throwable cause) {
    long all = lost();
    counted.set(all);
    try {
      report.accept(what + "; lines lost so far: " + all, cause);
    } catch (Throwable ignored) {
      // The system logger failed too. The request must continue.
    }
  }

  private static void log(String message, @Nullable Throwable cause) {
    System.getLogger("dev.percolate.logger").log(Level.WARNING, message, cause);
  }

  private static void inAMinute(Runnable task) {
    Runnable ignored = DaemonTimer.after(MINUTE, task);
  }
}
