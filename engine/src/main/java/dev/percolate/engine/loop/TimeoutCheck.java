package dev.percolate.engine.loop;

import dev.percolate.engine.ListenOptions;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * How often connections are looked at for those that take too long: often enough for the shortest
 * time-out, and for those that end together to be few, since the others wait meanwhile.
 *
 * @param everyMs how many milliseconds lie between two looks
 * @param restMs how many may where nothing is under way
 */
public record TimeoutCheck(long everyMs, long restMs) {

  private static final long LEAST_MS = 20;
  private static final long MOST_MS = 100;

  /** Less than {@link Progress#LATE}: what passes between rarer looks counts against no client. */
  private static final long MOST_REST_MS = 400;

  /** Returns what the time-outs of a server ask for. */
  public static TimeoutCheck of(ListenOptions options) {
    Duration shortest =
        Stream.of(
                options.headTimeout(),
                options.bodyTimeout(),
                options.idleTimeout(),
                options.writeTimeout())
            .min(Duration::compareTo)
            .orElseThrow();
    long quarter = Math.max(LEAST_MS, shortest.toMillis() / 4);
    return new TimeoutCheck(Math.min(MOST_MS, quarter), Math.min(MOST_REST_MS, quarter));
  }
}
