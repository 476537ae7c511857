package dev.percolate.redis;

import dev.percolate.core.store.IdempotencyStore;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Stores responses by idempotency key, each as three lines: the token of the running request, the
 * fingerprint, and the response.
 *
 * @param redis runs the scripts
 */
record RedisIdempotency(RedisConnection redis) implements IdempotencyStore {

  private static final String ANSWER = "i";
  private static final String NOBODY = "-";
  private static final String RUNNING = ".";
  private static final String DONE = "=";
  private static final int LINES = 3;

  private static final RedisScript BEGIN =
      new RedisScript(
          """
          local now = redis.call('GET', KEYS[1])
          if now then return now end
          redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
          return false
          """);

  /** Sets the time to live of a key to ARGV[2] ms, if its token is ARGV[1]. */
  private static final RedisScript RENEW =
      new RedisScript(
          """
          local now = redis.call('GETRANGE', KEYS[1], 0, 200)
          if string.match(now, '^([^\\n]*)\\n') ~= ARGV[1] then return 0 end
          return redis.call('PEXPIRE', KEYS[1], ARGV[2])
          """);

  /** Stores ARGV[2] after the fingerprint, for ARGV[3] ms, if the token is ARGV[1]. */
  private static final RedisScript KEEP =
      new RedisScript(
          """
          local now = redis.call('GET', KEYS[1])
          local token, print = string.match(now or '', '^([^\\n]*)\\n([^\\n]*)\\n')
          if token ~= ARGV[1] then return 0 end
          redis.call('SET', KEYS[1], '-\\n' .. print .. '\\n' .. ARGV[2], 'PX', ARGV[3])
          return 1
          """);

  private static final RedisScript RELEASE =
      new RedisScript(
          """
          local now = redis.call('GETRANGE', KEYS[1], 0, 200)
          if string.match(now, '^([^\\n]*)\\n') == ARGV[1] then redis.call('DEL', KEYS[1]) end
          return 1
          """);

  @Override
  public @Nullable Entry acquire(String key, String token, String fingerprint, Duration lease)
      throws IOException {
    String text = line(token) + "\n" + line(fingerprint) + "\n" + RUNNING;
    Object found = BEGIN.run(redis, redis.key(ANSWER, key), text, millis(lease));
    return found == null ? null : kept(found);
  }

  @Override
  public boolean renew(String key, String token, Duration lease) throws IOException {
    Object done = RENEW.run(redis, redis.key(ANSWER, key), line(token), millis(lease));
    return done instanceof Long known && known == 1;
  }

  @Override
  public boolean save(String key, String token, String response, Duration life) throws IOException {
    Object done =
        KEEP.run(redis, redis.key(ANSWER, key), line(token), DONE + response, millis(life));
    return done instanceof Long known && known == 1;
  }

  @Override
  public void release(String key, String token) throws IOException {
    Object ignored = RELEASE.run(redis, redis.key(ANSWER, key), line(token));
  }

  private static Entry kept(Object found) throws IOException {
    String[] lines = found instanceof String text ? text.split("\n", LINES) : new String[0];
    if (lines.length == LINES && lines[2].startsWith(DONE)) {
      return new Entry(lines[1], lines[2].substring(1));
    } else if (lines.length == LINES && lines[2].equals(RUNNING)) {
      return new Entry(lines[1], null);
    }
    throw new IOException("Redis returned an invalid response for an idempotency key");
  }

  /** Returns the text, after checking that it is one line and not {@link #NOBODY}. */
  private static String line(String text) {
    if (text.equals(NOBODY) || text.indexOf('\n') >= 0 || text.length() > 64) {
      throw new IllegalArgumentException(
          "token and fingerprint must each be one line of at most 64 characters");
    }
    return text;
  }

  private static String millis(Duration time) {
    return Long.toString(Math.max(1, time.toMillis()));
  }
}
