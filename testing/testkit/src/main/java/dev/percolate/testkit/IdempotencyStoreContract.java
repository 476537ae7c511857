package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.core.store.IdempotencyStore.Kept;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests what a store of answers must promise: one request has a key, and its answer is there for
 * all that follow. A store's own test extends it, and supplies the store; keys are of this test
 * alone, so a store may be shared by all of them.
 */
public abstract class IdempotencyStoreContract {

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration BRIEF = Duration.ofMillis(300);

  private IdempotencyStore store;
  private String key;

  /** Creates a test of one store. */
  protected IdempotencyStoreContract() {}

  /** Returns the store. */
  protected abstract IdempotencyStore store() throws Exception;

  /** Returns another door to the same answers, as another process has; the same by default. */
  protected IdempotencyStore another() throws Exception {
    return store();
  }

  @BeforeEach
  void open() throws Exception {
    store = store();
    key = UUID.randomUUID().toString();
  }

  @Test
  void theFirstHasTheKeyAndOthersSeeWhatItIs() throws Exception {
    assertNull(store.begin(key, "one", "print", LONG));
    assertEquals(new Kept("print", null), another().begin(key, "two", "other", LONG));
    assertNull(store.begin(key + "x", "two", "other", LONG));
  }

  @Test
  void theAnswerIsThereForAllThatFollow() throws Exception {
    String answer = "{\"a\":\"\u00e4\ud83d\ude00\\n\"}\n" + "x".repeat(100_000);
    assertNull(store.begin(key, "one", "print", LONG));
    assertTrue(store.keep(key, "one", answer, LONG));
    for (int i = 0; i < 2; i++) {
      assertEquals(new Kept("print", answer), another().begin(key, "two" + i, "print", LONG));
    }
  }

  @Test
  void aKeyThatWasGivenBackIsFree() throws Exception {
    assertNull(store.begin(key, "one", "print", LONG));
    another().release(key, "one");
    assertNull(store.begin(key, "two", "print", LONG));
  }

  @Test
  void whoDoesNotHaveTheKeyChangesNothing() throws Exception {
    assertFalse(store.keep(key, "nobody", "answer", LONG));
    store.release(key, "nobody");
    assertNull(store.begin(key, "one", "print", LONG));
    assertFalse(store.keep(key, "two", "answer", LONG));
    store.release(key, "two");
    assertEquals(new Kept("print", null), store.begin(key, "three", "print", LONG));
    assertTrue(store.keep(key, "one", "answer", LONG));
    store.release(key, "two");
    assertNotNull(store.begin(key, "three", "print", LONG));
  }

  @Test
  void theKeyOfARequestThatIsNeverHeardOfAgainBecomesFree() throws Exception {
    assertNull(store.begin(key, "one", "print", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertNull(store.begin(key, "two", "print", LONG));
    assertFalse(store.keep(key, "one", "late", LONG));
    store.release(key, "one");
    assertEquals(new Kept("print", null), store.begin(key, "three", "print", LONG));
  }

  @Test
  void aKeyThatIsRenewedStaysTaken() throws Exception {
    assertNull(store.begin(key, "one", "print", BRIEF));
    for (int i = 0; i < 2; i++) {
      assertTrue(another().renew(key, "one", LONG));
    }
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertEquals(new Kept("print", null), store.begin(key, "two", "print", LONG));
    assertTrue(store.keep(key, "one", "answer", LONG));
    assertEquals(new Kept("print", "answer"), another().begin(key, "two", "print", LONG));
  }

  @Test
  void aRenewedKeyBecomesFreeAfterItsNewTime() throws Exception {
    assertNull(store.begin(key, "one", "print", LONG));
    assertTrue(store.renew(key, "one", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertFalse(store.renew(key, "one", LONG));
    assertNull(another().begin(key, "two", "print", LONG));
  }

  @Test
  void onlyTheRunningRequestRenewsItsKey() throws Exception {
    assertFalse(store.renew(key, "one", LONG));
    assertNull(store.begin(key, "one", "print", LONG));
    assertFalse(store.renew(key, "two", BRIEF));
    assertTrue(store.keep(key, "one", "answer", LONG));
    assertFalse(store.renew(key, "one", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertEquals(new Kept("print", "answer"), store.begin(key, "two", "print", LONG));
    store.release(key, "one");
    assertEquals(new Kept("print", "answer"), store.begin(key, "two", "print", LONG));
  }

  @Test
  void anAnswerIsKeptForItsLife() throws Exception {
    assertNull(store.begin(key, "one", "print", LONG));
    assertTrue(store.keep(key, "one", "answer", BRIEF));
    Thread.sleep(BRIEF.multipliedBy(2).toMillis());
    assertNull(store.begin(key, "two", "print", LONG));
  }

  @Test
  void ofACrowdOneHasTheKey() throws Exception {
    List<CompletableFuture<Boolean>> crowd = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String token = "t" + i;
      IdempotencyStore mine = i % 2 == 0 ? store : another();
      CompletableFuture<Boolean> first = new CompletableFuture<>();
      crowd.add(first);
      new Thread(
              () -> {
                try {
                  first.complete(mine.begin(key, token, "print", LONG) == null);
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
