package dev.percolate.middleware;

import java.io.IOException;

/**
 * Counts the requests of clients for {@link RateLimit}; {@link MemoryRates} is one.
 *
 * <p>Any thread may use it, several at the same time.
 */
@FunctionalInterface
public interface RateStore {

  /**
   * Takes one request from what a client has left. A client has a bucket that holds {@code limit}
   * requests and fills evenly within the window; one that was never seen has a full one.
   *
   * @param client names the client, by 64 characters at most where {@link RateLimit} asks: {@code
   *     ip:} and an address, a name that the application gives, or {@code sha256:} and the hash of
   *     a longer one
   * @param limit how many requests the bucket holds
   * @param windowMillis how long an empty one takes to be full
   * @return what is left
   * @throws IOException if the store fails
   */
  Taken take(String client, int limit, long windowMillis) throws IOException;

  /**
   * Tells what a client has left.
   *
   * @param allowed whether there was one to take
   * @param remaining how many whole requests are left
   * @param waitMillis how long until there is the next one to take, 0 if there is one
   * @param fullMillis how long until the bucket is full
   */
  record Taken(boolean allowed, int remaining, long waitMillis, long fullMillis) {}
}
