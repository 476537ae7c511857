package dev.percolate.core.store;

import java.io.IOException;

/**
 * Counts the requests of clients, for {@code RateLimit} of the module {@code middleware}. {@code
 * MemoryRateLimits} of that module counts them in memory.
 *
 * <p>A store must be thread-safe. A shared store must also support several processes. {@code
 * RateLimitStoreContract} of the module {@code testkit} tests all of this.
 */
@FunctionalInterface
public interface RateLimitStore {

  /**
   * Takes permits from the bucket of a client: all of them, or none. A bucket holds {@code limit}
   * permits, and refills evenly within the window. The bucket of a new client is full.
   *
   * @param client the name of the client: {@code ip:} and an address, a name that the application
   *     provides, or {@code sha256:} and the hash of a longer name. {@code RateLimit} passes at
   *     most 64 characters
   * @param permits the number of permits to take, 1 to {@code limit}
   * @param limit the capacity of the bucket
   * @param windowMillis the time in which an empty bucket refills, in milliseconds
   * @return the remaining permits
   * @throws IOException if the store fails. The message may be logged, so it must not contain a
   *     client or a password
   */
  Result take(String client, int permits, int limit, long windowMillis) throws IOException;

  /**
   * Returns true if {@link #take} may block the calling thread, for example for a network. Such a
   * store cannot be used on event loops.
   */
  default boolean isBlocking() {
    return true;
  }

  /**
   * The result of taking permits.
   *
   * @param allowed whether the permits were taken
   * @param remaining the number of whole permits that are left
   * @param retryAfterMillis the time in milliseconds until the same number of permits is available;
   *     0 if it is available now
   * @param resetMillis the time in milliseconds until the bucket is full
   */
  record Result(boolean allowed, int remaining, long retryAfterMillis, long resetMillis) {}
}
