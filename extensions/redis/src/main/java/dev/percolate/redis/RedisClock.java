package dev.percolate.redis;

import dev.percolate.core.store.StoreClock;
import java.io.IOException;
import java.time.InstantSource;

/** Reads the clock of Redis when that is due. */
final class RedisClock {

  private static final RedisScript TIME =
      new RedisScript(
          """
          local time = redis.call('TIME')
          return time[1] * 1000 + math.floor(time[2] / 1000)
          """);

  private final RedisConnection redis;
  private final StoreClock clock;

  /**
   * Creates the clock.
   *
   * @param local the clock of this server
   */
  RedisClock(RedisConnection redis, InstantSource local) {
    this.redis = redis;
    this.clock = new StoreClock(local);
  }

  /** Returns the clock as it was read last. */
  StoreClock known() {
    return clock;
  }

  /** Returns the clock, which has been read within the last ten seconds. */
  StoreClock get() throws IOException {
    if (clock.isDue()) {
      long sent = System.nanoTime();
      if (!(TIME.run(redis, redis.keyOfHash("s", "clock")) instanceof Long millis)) {
        throw new IOException("Redis returned an invalid time");
      }
      clock.set(millis, sent);
    }
    return clock;
  }
}
