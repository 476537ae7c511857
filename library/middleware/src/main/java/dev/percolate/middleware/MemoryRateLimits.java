package dev.percolate.middleware;

import dev.percolate.core.store.RateLimitStore;
import dev.percolate.http.Quantity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts requests for {@link RateLimit} in the memory of this process, for a limited number of
 * clients. If there are too many, the least recently seen client is removed, and starts again with
 * a full bucket.
 *
 * <p>{@link RateLimit} uses client names of at most 64 characters. So each client takes at most
 * about 300 bytes, and 100,000 clients take 30 MB.
 */
public final class MemoryRateLimits implements RateLimitStore {

  private final LongSupplier nanos;
  private final int capacity;
  private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  /** The tokens that a client has left, and the time of this value. */
  private static final class Bucket {
    double tokens;
    long at;
  }

  MemoryRateLimits(int capacity, LongSupplier nanos) {
    this.nanos = nanos;
    this.capacity = capacity;
  }

  /** Creates a store of at most 100,000 clients. */
  public static MemoryRateLimits of() {
    return of(100_000);
  }

  /**
   * Creates a store.
   *
   * @param capacity the maximum number of clients
   * @return a new store
   * @throws IllegalArgumentException if it is not positive
   */
  public static MemoryRateLimits of(int capacity) {
    return new MemoryRateLimits(Quantity.atLeast("capacity", 1, capacity), System::nanoTime);
  }

  @Override
  public synchronized Result take(String client, int permits, int limit, long windowMillis) {
    long now = nanos.getAsLong();
    Bucket bucket = buckets.get(client);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.tokens = limit;
      buckets.put(client, bucket);
      if (buckets.size() > capacity) {
        buckets.remove(buckets.keySet().iterator().next());
      }
    } else {
      bucket.tokens =
          Math.min(limit, bucket.tokens + (now - bucket.at) / 1e6 * limit / windowMillis);
    }
    bucket.at = now;
    boolean allowed = bucket.tokens >= permits;
    bucket.tokens -= allowed ? permits : 0;
    long wait = (long) Math.ceil(Math.max(0, permits - bucket.tokens) * windowMillis / limit);
    long full = (long) Math.ceil((limit - bucket.tokens) * windowMillis / limit);
    return new Result(allowed, (int) bucket.tokens, wait, full);
  }

  @Override
  public boolean isBlocking() {
    return false;
  }

  /** Returns the number of clients. */
  public synchronized int size() {
    return buckets.size();
  }
}
