package dev.percolate.engine.loop;

import dev.percolate.engine.ListenOptions;
import java.time.Duration;
import java.util.stream.Stream;

/** Tells how often connections are looked at for those that take too long. */
public final class TimeoutCheck {

  private TimeoutCheck() {}

  /**
   * Returns how many milliseconds lie between two looks: few enough for the shortest time-out, and
   * for those that end together to be few, since the others wait meanwhile.
   */
  public static long everyMs(ListenOptions options) {
    Duration shortest =
        Stream.of(
                options.headTimeout(),
                options.bodyTimeout(),
                options.idleTimeout(),
                options.writeTimeout())
            .min(Duration::compareTo)
            .orElseThrow();
    return Math.max(20, Math.min(100, shortest.toMillis() / 4));
  }
}
