package dev.percolate.redis;

import dev.percolate.core.store.RateLimitStore;
import java.io.IOException;
import java.util.List;

/**
 * Counts requests with the generic cell rate algorithm. Stores one number per client: the time when
 * its bucket is full, by the clock of Redis. The key expires at that time.
 *
 * @param redis runs the script
 * @param limit the name of the limit, which is a part of its keys
 */
record RedisRateLimits(RedisConnection redis, String limit) implements RateLimitStore {

  private static final String RATE = "r:";

  /** Takes ARGV[1] of ARGV[2] requests within ARGV[3] ms. Times are in microseconds. */
  private static final RedisScript TAKE =
      new RedisScript(
          """
          local time = redis.call('TIME')
          local now = time[1] * 1000000 + time[2]
          local window = ARGV[3] * 1000
          local each = window / ARGV[2]
          local full = tonumber(redis.call('GET', KEYS[1]) or now) or now
          if full < now then full = now end
          if full > now + window then full = now + window end
          local next = full + ARGV[1] * each
          local slack = 1 + each / 1000
          local allowed = 0
          if next - now <= window + slack then
            allowed = 1
            full = next
            redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil((full - now) / 1000) + 1)
          end
          local left = math.max(0, math.floor((window - (full - now) + slack) / each))
          local wait = math.max(0, full + ARGV[1] * each - window - now - slack)
          return {allowed, left, math.ceil(wait / 1000), math.ceil(math.max(0, full - now) / 1000)}
          """);

  @Override
  public Result take(String client, int permits, int most, long windowMillis) throws IOException {
    Object answer =
        TAKE.run(
            redis,
            redis.key(RATE + limit, client),
            Integer.toString(permits),
            Integer.toString(most),
            Long.toString(windowMillis));
    if (answer instanceof List<?> taken
        && taken.size() == 4
        && taken.get(0) instanceof Long allowed
        && taken.get(1) instanceof Long left
        && taken.get(2) instanceof Long wait
        && taken.get(3) instanceof Long full) {
      return new Result(allowed == 1, Math.toIntExact(left), wait, full);
    }
    throw new IOException("Redis returned an invalid reply to a rate limit script");
  }
}
