package dev.percolate.logger;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts lost lines and warns of them at once, then at most once a minute. */
final class LossCounter {

  private static final long MINUTE = 60_000_000_000L;

  private final LongSupplier ticker;
  private final BiConsumer<String, @Nullable Throwable> report;
  private final AtomicLong due;
  private final LongAdder lost = new LongAdder();

  LossCounter() {
    this(System::nanoTime, LossCounter::log);
  }

  LossCounter(LongSupplier ticker, BiConsumer<String, @Nullable Throwable> report) {
    this.ticker = ticker;
    this.report = report;
    this.due = new AtomicLong(ticker.getAsLong());
  }

  /**
   * Counts lines as lost; never throws, whatever becomes of the warning.
   *
   * @param lines how many
   * @param what why
   * @param cause the error behind it; null if there is none
   */
  void raise(int lines, String what, @Nullable Throwable cause) {
    lost.add(lines);
    long now = ticker.getAsLong();
    long then = due.get();
    if (now - then < 0 || !due.compareAndSet(then, now + MINUTE)) {
      return;
    }
    try {
      report.accept(what + "; lines lost so far: " + lost(), cause);
    } catch (Throwable ignored) {
      // The system log fails as well: there is no third place, and the request must go on.
    }
  }

  long lost() {
    return lost.sum();
  }

  private static void log(String message, @Nullable Throwable cause) {
    System.getLogger("dev.percolate.logger").log(Level.WARNING, message, cause);
  }
}
