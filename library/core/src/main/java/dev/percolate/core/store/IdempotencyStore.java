package dev.percolate.core.store;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Stores the first response for each key, for {@code Idempotency} of the module {@code middleware}.
 * {@code MemoryIdempotency} of that module stores them in memory.
 *
 * <p>A store must be thread-safe. A shared store must also support several processes. {@code
 * IdempotencyStoreContract} of the module {@code testkit} tests all of this.
 */
public interface IdempotencyStore {

  /**
   * The state of a key that is in use.
   *
   * @param fingerprint the fingerprint of the request that acquired the key
   * @param response the stored response; null while the request runs
   */
  record Entry(String fingerprint, @Nullable String response) {}

  /**
   * Atomically acquires a key for a request that is about to run, unless the key is in use.
   *
   * @param key the key, at most 64 characters
   * @param token a unique name of this attempt
   * @param fingerprint the fingerprint of the request, at most 64 characters
   * @param lease the time after which the key expires, unless {@link #renew}, {@link #save} or
   *     {@link #release} is called
   * @return null if the request has acquired the key; otherwise the state of the key
   * @throws IOException if the store fails
   */
  @Nullable Entry acquire(String key, String token, String fingerprint, Duration lease)
      throws IOException;

  /**
   * Extends the time for which a running request holds its key. A server calls it periodically
   * while the request runs, so that only the keys of dead servers expire.
   *
   * @param key the key
   * @param token the name that was passed to {@link #acquire}
   * @param lease the time from now after which the key expires
   * @return false if the request has lost the key, or its response is already stored; then nothing
   *     changes
   * @throws IOException if the store fails
   */
  boolean renew(String key, String token, Duration lease) throws IOException;

  /**
   * Stores the response of a request that holds the key.
   *
   * @param key the key
   * @param token the name that was passed to {@link #acquire}
   * @param response the response
   * @param life how long to keep it
   * @return false if the request no longer holds the key; then nothing is stored
   * @throws IOException if the store fails
   */
  boolean save(String key, String token, String response, Duration life) throws IOException;

  /**
   * Releases the key of a request that has no response to store. Does nothing if the request no
   * longer holds the key.
   *
   * @param key the key
   * @param token the name that was passed to {@link #acquire}
   * @throws IOException if the store fails
   */
  void release(String key, String token) throws IOException;

  /**
   * Returns true if its methods may block the calling thread, for example for a network. Such a
   * store cannot be used on event loops.
   */
  default boolean isBlocking() {
    return true;
  }
}
