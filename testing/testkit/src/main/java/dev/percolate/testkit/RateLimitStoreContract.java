package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.RateLimitStore.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of a {@link RateLimitStore}: how the bucket of a client empties and fills,
 * even with many requests at the same time. Extend this class in the tests of a store. Each test
 * uses new names of clients, so that tests can share a store:
 *
 * <pre>
 *   final class ShelfRatesTest extends RateLimitStoreContract {
 *     &#64;Override protected RateLimitStore store() { return SHELF; }
 *   }
 * </pre>
 */
public abstract class RateLimitStoreContract {

  private static final long HOUR = 3_600_000;
  private static final int CROWD = 8;

  private RateLimitStore store;
  private String client;

  /** Creates the tests of one store. */
  protected RateLimitStoreContract() {}

  /** Returns the store. */
  protected abstract RateLimitStore store() throws Exception;

  /** Returns another connection to the same counts, as another process has. Default: the store. */
  protected RateLimitStore another() throws Exception {
    return store();
  }

  @BeforeEach
  void open() throws Exception {
    store = store();
    client = newName();
  }

  private static String newName() {
    return "it-" + UUID.randomUUID();
  }

  @Test
  void aClientMayTakeTheLimitImmediatelyAndNoMore() throws Exception {
    for (int left = 4; left >= 0; left--) {
      Result taken = (left % 2 == 0 ? store : another()).take(client, 1, 5, HOUR);
      assertTrue(taken.allowed());
      assertEquals(left, taken.remaining());
    }
    Result beyond = store.take(client, 1, 5, HOUR);
    assertFalse(beyond.allowed());
    assertEquals(0, beyond.remaining());
    assertWithin(HOUR / 5 - 60_000, HOUR / 5 + 1, beyond.retryAfterMillis());
    assertWithin(HOUR - 60_000, HOUR + 1, beyond.resetMillis());
  }

  @Test
  void aRejectedRequestTakesNothing() throws Exception {
    store.take(client, 1, 1, HOUR);
    long wait = store.take(client, 1, 1, HOUR).retryAfterMillis();
    for (int i = 0; i < 20; i++) {
      assertTrue(store.take(client, 1, 1, HOUR).retryAfterMillis() <= wait);
    }
  }

  @Test
  void eachClientHasItsOwnBucket() throws Exception {
    assertTrue(store.take(client, 1, 1, HOUR).allowed());
    assertFalse(store.take(client, 1, 1, HOUR).allowed());
    assertTrue(store.take(client + "x", 1, 1, HOUR).allowed());
    for (String name :
        List.of("\u00e4 \n" + client, "*{" + client + "}", client.toUpperCase(Locale.ROOT))) {
      assertTrue(store.take(name, 1, 1, HOUR).allowed());
      assertFalse(store.take(name, 1, 1, HOUR).allowed());
    }
  }

  @Test
  void severalPermitsAreTakenTogetherOrNotAtAll() throws Exception {
    assertEquals(6, store.take(client, 4, 10, HOUR).remaining());
    Result rejected = store.take(client, 7, 10, HOUR);
    assertFalse(rejected.allowed());
    assertEquals(6, rejected.remaining());
    assertWithin(HOUR / 10 - 60_000, HOUR / 10 + 1, rejected.retryAfterMillis());
    Result all = store.take(client, 6, 10, HOUR);
    assertTrue(all.allowed());
    assertEquals(0, all.remaining());
    assertTrue(store.take(client + "x", 10, 10, HOUR).allowed());
  }

  @Test
  void theBucketFillsEvenly() throws Exception {
    assertTrue(store.take(client, 4, 4, 200).allowed());
    Result empty = store.take(client, 1, 4, 200);
    if (!empty.allowed()) {
      assertWithin(1, 50, empty.retryAfterMillis());
    }
    Thread.sleep(80);
    assertTrue(store.take(client, 1, 4, 200).allowed());
  }

  @Test
  void aFullBucketHoldsTheLimitAndNoMore() throws Exception {
    store.take(client, 2, 2, 40);
    Thread.sleep(80);
    assertEquals(0, store.take(client, 2, 2, HOUR).remaining());
    assertFalse(store.take(client, 1, 2, HOUR).allowed());
  }

  @Test
  void manyRequestsTogetherDoNotExceedTheLimit() throws Exception {
    int limit = 50;
    List<CompletableFuture<Integer>> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      RateLimitStore mine = i % 2 == 0 ? store : another();
      CompletableFuture<Integer> passed = new CompletableFuture<>();
      crowd.add(passed);
      Thread thread =
          new Thread(
              () -> {
                try {
                  int mineAllowed = 0;
                  for (int k = 0; k < 20; k++) {
                    mineAllowed += mine.take(client, 1, limit, 24 * HOUR).allowed() ? 1 : 0;
                  }
                  passed.complete(mineAllowed);
                } catch (Throwable e) {
                  passed.completeExceptionally(e);
                }
              });
      thread.start();
    }
    int all = 0;
    for (CompletableFuture<Integer> passed : crowd) {
      all += passed.get();
    }
    assertEquals(limit, all);
  }

  private static void assertWithin(long least, long most, long value) {
    assertTrue(value >= least && value <= most, () -> least + " to " + most + ", was " + value);
  }
}
