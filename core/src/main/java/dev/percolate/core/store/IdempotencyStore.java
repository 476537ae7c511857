package dev.percolate.core.store;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the first answer of each key, for {@code Idempotency} of the module {@code middleware},
 * whose {@code MemoryAnswers} is one.
 *
 * <p>Any thread may use it, several at the same time, and several processes if it is one that they
 * share. {@code IdempotencyStoreContract} of the module {@code testkit} has all of this as tests.
 */
public interface IdempotencyStore {

  /**
   * What a key is taken by.
   *
   * @param fingerprint that of the request which has taken it
   * @param answer the answer that is kept; null while the request runs
   */
  record Kept(String fingerprint, @Nullable String answer) {}

  /**
   * Takes a key for a request that is about to run, unless it is taken; in one step.
   *
   * @param key the key, 64 characters at most
   * @param token names this attempt, and no other one
   * @param fingerprint what the request is, 64 characters at most
   * @param lease how long the key is taken, unless {@link #renew}, {@link #keep} or {@link
   *     #release} follows
   * @return null if the request has the key now; else what the key is taken by
   * @throws IOException if the store fails
   */
  @Nullable Kept begin(String key, String token, String fingerprint, Duration lease)
      throws IOException;

  /**
   * Extends the time for which a running request has its key. A server calls it periodically while
   * the request runs, so that only the keys of dead servers expire.
   *
   * @param key the key
   * @param token as at {@link #begin}
   * @param lease how long the key is taken from now on
   * @return false if the request has lost the key, or its response is already kept; then nothing
   *     changes
   * @throws IOException if the store fails
   */
  boolean renew(String key, String token, Duration lease) throws IOException;

  /**
   * Keeps the answer of a request that has the key.
   *
   * @param key the key
   * @param token as at {@link #begin}
   * @param answer the answer
   * @param life how long to keep it
   * @return false if the request does not have the key any more; then nothing is kept
   * @throws IOException if the store fails
   */
  boolean keep(String key, String token, String answer, Duration life) throws IOException;

  /**
   * Gives a key back whose request has no answer to be kept; does nothing if it does not have the
   * key any more.
   *
   * @param key the key
   * @param token as at {@link #begin}
   * @throws IOException if the store fails
   */
  void release(String key, String token) throws IOException;

  /**
   * Tells whether its methods may make their thread wait, such as for a network. One that does
   * cannot be used on event loops.
   */
  default boolean waits() {
    return true;
  }
}
