package dev.percolate.logger;

import dev.percolate.engine.RareWarning;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts lost lines and warns of them at once, then at most once a minute. */
final class LossCounter {

  private final RareWarning warning;
  private final BiConsumer<String, @Nullable Throwable> report;
  private final LongAdder lost = new LongAdder();

  LossCounter() {
    this(System::nanoTime, LossCounter::log);
  }

  LossCounter(LongSupplier ticker, BiConsumer<String, @Nullable Throwable> report) {
    this.warning = new RareWarning(ticker);
    this.report = report;
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
    if (!warning.isDue()) {
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
