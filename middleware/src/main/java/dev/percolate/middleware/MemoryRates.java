package dev.percolate.middleware;

import dev.percolate.core.store.RateStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts requests in the memory of this process, of a bounded number of clients: those that were
 * not seen for the longest time are forgotten first, and begin with a full bucket again.
 *
 * <p>Since {@link RateLimit} gives names of 64 characters at most, each client takes some 300 bytes
 * at most: 100000 of them 30 MB, whatever they send.
 */
public final class MemoryRates implements RateStore {

  private static final int DEFAULT_CAPACITY = 100_000;

  private final LongSupplier nanos;
  private final Map<String, Bucket> buckets;

  /** What a client has left, and when that was. */
  private static final class Bucket {
    double tokens;
    long at;
  }

  MemoryRates(int capacity, LongSupplier nanos) {
    this.nanos = nanos;
    this.buckets =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > capacity;
          }
        };
  }

  /** Knows 100000 clients. */
  public static MemoryRates of() {
    return of(DEFAULT_CAPACITY);
  }

  /**
   * Knows a number of clients.
   *
   * @param capacity how many at most
   * @return a new store
   * @throws IllegalArgumentException if it is not positive
   */
  public static MemoryRates of(int capacity) {
    if (capacity <= 0) {
      throw new IllegalArgumentException("MemoryRates.of(" + capacity + "): must be positive");
    }
    return new MemoryRates(capacity, System::nanoTime);
  }

  @Override
  public synchronized Taken take(String client, int permits, int limit, long windowMillis) {
    long now = nanos.getAsLong();
    Bucket bucket = buckets.get(client);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.tokens = limit;
      buckets.put(client, bucket);
    } else {
      bucket.tokens =
          Math.min(limit, bucket.tokens + (now - bucket.at) / 1e6 * limit / windowMillis);
    }
    bucket.at = now;
    boolean allowed = bucket.tokens >= permits;
    bucket.tokens -= allowed ? permits : 0;
    long wait = (long) Math.ceil(Math.max(0, permits - bucket.tokens) * windowMillis / limit);
    long full = (long) Math.ceil((limit - bucket.tokens) * windowMillis / limit);
    return new Taken(allowed, (int) bucket.tokens, wait, full);
  }

  @Override
  public boolean waits() {
    return false;
  }

  /** Returns how many clients are known. */
  public synchronized int size() {
    return buckets.size();
  }
}
