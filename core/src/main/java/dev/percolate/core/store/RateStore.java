package dev.percolate.core.store;

import java.io.IOException;

/**
 * Counts the requests of clients for {@code RateLimit} of the module {@code middleware}, whose
 * {@code MemoryRates} is one.
 *
 * <p>Any thread may use it, several at the same time, and several processes if it is one that they
 * share. {@code RateStoreContract} of the module {@code testkit} has all of this as tests.
 */
@FunctionalInterface
public interface RateStore {

  /**
   * Takes requests from what a client has left: all of them, or none. A client has a bucket that
   * holds {@code limit} requests and fills evenly within the window; one that was never seen has a
   * full one.
   *
   * @param client names the client, by 64 characters at most where {@code RateLimit} asks: {@code
   *     ip:} and an address, a name that the application gives, or {@code sha256:} and the hash of
   *     a longer one
   * @param permits how many to take, 1 to {@code limit}
   * @param limit how many requests the bucket holds
   * @param windowMillis how long an empty one takes to be full
   * @return what is left
   * @throws IOException if the store fails; its message may go to a log, so it names no client and
   *     no password
   */
  Taken take(String client, int permits, int limit, long windowMillis) throws IOException;

  /**
   * Tells whether {@link #take} may make its thread wait, such as for a network. A store that does
   * cannot be used on event loops.
   */
  default boolean waits() {
    return true;
  }

  /**
   * Tells what a client has left.
   *
   * @param allowed whether there were so many to take
   * @param remaining how many whole requests are left
   * @param waitMillis how long until the next ones can be taken, as many as were asked for; 0 if
   *     they can now
   * @param fullMillis how long until the bucket is full
   */
  record Taken(boolean allowed, int remaining, long waitMillis, long fullMillis) {}
}
