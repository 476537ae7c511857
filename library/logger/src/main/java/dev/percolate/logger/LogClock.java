package dev.percolate.logger;

import dev.percolate.http.HttpDate;
import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures durations with a ticker and formats dates with a clock. Formats the dates of each second
 * only once.
 */
final class LogClock {

  static final LogClock SYSTEM = new LogClock(Clock.systemUTC(), System::nanoTime);

  private final Clock wall;
  private final LongSupplier ticker;

  // Not volatile: a thread that sees an old value or none formats the second again.
  private @Nullable Second latest;

  LogClock(Clock wall, LongSupplier ticker) {
    this.wall = wall;
    this.ticker = ticker;
  }

  /** The formatted dates of one second. Immutable, so safe to share without a lock. */
  private record Second(long number, String clf, String web, String iso) {

    static Second of(long number) {
      Instant time = Instant.ofEpochSecond(number);
      String web = HttpDate.format(time); // Tue, 10 Oct 2000 13:55:36 GMT
      String date = web.substring(5, 16).replace(' ', '/');
      String clf = date + ":" + web.substring(17, 25) + " +0000";
      return new Second(number, clf, web, time.toString().replace('Z', '.'));
    }
  }

  long nanos() {
    return ticker.getAsLong();
  }

  /** Appends the current time in common log format, {@code 10/Oct/2000:13:55:36 +0000}. */
  void appendClf(StringBuilder out) {
    out.append(second(wall.millis()).clf);
  }

  /** Appends the current time as in HTTP headers, {@code Tue, 10 Oct 2000 13:55:36 GMT}. */
  void appendWeb(StringBuilder out) {
    out.append(second(wall.millis()).web);
  }

  /** Appends the current time in ISO 8601 with milliseconds, {@code 2000-10-10T13:55:36.000Z}. */
  void appendIso(StringBuilder out) {
    long millis = wall.millis();
    out.append(second(millis).iso);
    digits(out, Math.floorMod(millis, 1000), 3).append('Z');
  }

  /** Appends a non-negative number with leading zeros. */
  static StringBuilder digits(StringBuilder out, long number, int count) {
    long power = 1;
    for (int i = 1; i < count; i++) {
      power *= 10;
    }
    for (; power > 0; power /= 10) {
      out.append((char) ('0' + number / power % 10));
    }
    return out;
  }

  private Second second(long millis) {
    long number = Math.floorDiv(millis, 1000L);
    Second known = latest;
    if (known == null || known.number != number) {
      known = Second.of(number);
      latest = known;
    }
    return known;
  }
}
