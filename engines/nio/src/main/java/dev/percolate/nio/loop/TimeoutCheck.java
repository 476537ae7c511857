package dev.percolate.nio.loop;

import dev.percolate.engine.ListenOptions;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * How often timeouts are checked. The interval is shorter for short timeouts. It is limited so that
 * few connections end in the same check, because other connections wait meanwhile.
 *
 * @param everyMs the interval, in milliseconds
 * @param restMs the interval while nothing is in progress, in milliseconds
 */
public record TimeoutCheck(long everyMs, long restMs) {

  private static final long LEAST_MS = 20;
  private static final long MOST_MS = 100;

  /** Less than {@link Progress#LATE}: time between rarer checks would not count. */
  private static final long MOST_REST_MS = 400;

  /** Returns the intervals for the timeouts of a server. */
  public static TimeoutCheck of(ListenOptions options) {
    Duration shortest =
        Stream.of(
                options.headerTimeout(),
                options.bodyTimeout(),
                options.idleTimeout(),
                options.writeTimeout())
            .min(Duration::compareTo)
            .orElseThrow();
    long quarter = Math.max(LEAST_MS, shortest.toMillis() / 4);
    return new TimeoutCheck(Math.min(MOST_MS, quarter), Math.min(MOST_REST_MS, quarter));
  }
}
