package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.IdempotencyStore.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of an {@link IdempotencyStore}: one request owns a key, and all later requests
 * get its response. Extend this class in the tests of a store. Each test uses new keys, so that
 * tests can share a store.
 */
public abstract class IdempotencyStoreContract {

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration BRIEF = Duration.ofMillis(40);

  private IdempotencyStore store;
  private String key;

  /** Creates the tests of one store. */
  protected IdempotencyStoreContract() {}

  /** Returns the store. */
  protected abstract IdempotencyStore store() throws Exception;

  /**
   * Returns another connection to the same responses, as another process has. Default: the store.
   */
  protected IdempotencyStore another() throws Exception {
    return store();
  }

  @BeforeEach
  void open() throws Exception {
    store = store();
    key = UUID.randomUUID().toString();
  }

  @Test
  void theFirstRequestOwnsTheKey() throws Exception {
    assertNull(store.acquire(key, "one", "print", LONG));
    assertEquals(new Entry("print", null), another().acquire(key, "two", "other", LONG));
    assertNull(store.acquire(key + "x", "two", "other", LONG));
  }

  @Test
  void laterRequestsGetTheKeptResponse() throws Exception {
    String answer = "{\"a\":\"\u00e4\ud83d\ude00\\n\"}\n" + "x".repeat(100_000);
    assertNull(store.acquire(key, "one", "print", LONG));
    assertTrue(store.save(key, "one", answer, LONG));
    for (int i = 0; i < 2; i++) {
      assertEquals(new Entry("print", answer), another().acquire(key, "two" + i, "print", LONG));
    }
  }

  @Test
  void aReleasedKeyIsFree() throws Exception {
    assertNull(store.acquire(key, "one", "print", LONG));
    another().release(key, "one");
    assertNull(store.acquire(key, "two", "print", LONG));
  }

  @Test
  void requestsWithoutTheKeyChangeNothing() throws Exception {
    assertFalse(store.save(key, "nobody", "response", LONG));
    store.release(key, "nobody");
    assertNull(store.acquire(key, "one", "print", LONG));
    assertFalse(store.save(key, "two", "answer", LONG));
    store.release(key, "two");
    assertEquals(new Entry("print", null), store.acquire(key, "three", "print", LONG));
    assertTrue(store.save(key, "one", "answer", LONG));
    store.release(key, "two");
    assertNotNull(store.acquire(key, "three", "print", LONG));
  }

  @Test
  void theKeyOfAnAbandonedRequestExpires() throws Exception {
    assertNull(store.acquire(key, "one", "print", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertNull(store.acquire(key, "two", "print", LONG));
    assertFalse(store.save(key, "one", "late", LONG));
    store.release(key, "one");
    assertEquals(new Entry("print", null), store.acquire(key, "three", "print", LONG));
  }

  @Test
  void aRenewedKeyStaysTaken() throws Exception {
    Duration brief = BRIEF;
    while (!isRenewedWithin(brief)) {
      brief = brief.multipliedBy(2); // the store or the machine is slow
      key += "x";
    }
    Thread.sleep(brief.multipliedBy(2).toMillis());
    assertEquals(new Entry("print", null), store.acquire(key, "two", "print", LONG));
    assertTrue(store.save(key, "one", "answer", LONG));
    assertEquals(new Entry("print", "answer"), another().acquire(key, "two", "print", LONG));
  }

  /** Acquires and renews the key. Returns false if it may have expired before it was renewed. */
  private boolean isRenewedWithin(Duration lease) throws Exception {
    long begin = System.nanoTime();
    assertNull(store.acquire(key, "one", "print", lease));
    boolean renewed = store.renew(key, "one", LONG) && another().renew(key, "one", LONG);
    boolean inTime = System.nanoTime() - begin < lease.toNanos();
    assertTrue(renewed || !inTime, "a key that has not expired must be renewed");
    return renewed && inTime;
  }

  @Test
  void aRenewedKeyBecomesFreeAfterItsNewTime() throws Exception {
    assertNull(store.acquire(key, "one", "print", LONG));
    assertTrue(store.renew(key, "one", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertFalse(store.renew(key, "one", LONG));
    assertNull(another().acquire(key, "two", "print", LONG));
  }

  @Test
  void onlyTheRunningRequestRenewsItsKey() throws Exception {
    assertFalse(store.renew(key, "one", LONG));
    assertNull(store.acquire(key, "one", "print", LONG));
    assertFalse(store.renew(key, "two", BRIEF));
    assertTrue(store.save(key, "one", "answer", LONG));
    assertFalse(store.renew(key, "one", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertEquals(new Entry("print", "answer"), store.acquire(key, "two", "print", LONG));
    store.release(key, "one");
    assertEquals(new Entry("print", "answer"), store.acquire(key, "two", "print", LONG));
  }

  @Test
  void aResponseIsKeptForItsLifetime() throws Exception {
    assertNull(store.acquire(key, "one", "print", LONG));
    assertTrue(store.save(key, "one", "answer", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertNull(store.acquire(key, "two", "print", LONG));
  }

  @Test
  void ofManyRequestsOneOwnsTheKey() throws Exception {
    List<CompletableFuture<Boolean>> crowd = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String token = "t" + i;
      IdempotencyStore mine = i % 2 == 0 ? store : another();
      CompletableFuture<Boolean> first = new CompletableFuture<>();
      crowd.add(first);
      new Thread(
              () -> {
                try {
                  first.complete(mine.acquire(key, token, "print", LONG) == null);
                } catch (Throwable e) {
                  first.completeExceptionally(e);
                }
              })
          .start();
    }
    int owners = 0;
    for (CompletableFuture<Boolean> first : crowd) {
      owners += first.get() ? 1 : 0;
    }
    assertEquals(1, owners);
  }
}
