package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.IdempotencyStore;
import dev.percolate.testkit.IdempotencyStoreContract;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Runs the contract of idempotency stores on {@link MemoryIdempotency}, and tests its limits. */
final class MemoryIdempotencyTest extends IdempotencyStoreContract {

  private static final Duration LONG = Duration.ofHours(1);

  private final IdempotencyStore store = MemoryIdempotency.of();

  @Override
  protected IdempotencyStore store() {
    return store;
  }

  @Test
  void theOldestResponsesAreRemovedAndRunningRequestsStay() throws Exception {
    MemoryIdempotency two = MemoryIdempotency.of(2);
    assertNull(two.acquire("a", "t", "f", LONG));
    assertNull(two.acquire("b", "t", "f", LONG));
    assertThrows(IOException.class, () -> two.acquire("c", "t", "f", LONG));
    assertTrue(two.save("b", "t", "answer", LONG));
    assertNull(two.acquire("c", "t", "f", LONG));
    assertNotNull(two.acquire("a", "u", "f", LONG));
    assertEquals(2, two.size());
  }

  @Test
  void theTotalSizeIsLimited() throws Exception {
    MemoryIdempotency many = MemoryIdempotency.of(1000);
    String long16 = "x".repeat(16 << 20);
    for (int i = 0; i < 10; i++) {
      assertNull(many.acquire("k" + i, "t", "f", LONG));
      assertTrue(many.save("k" + i, "t", long16, LONG));
    }
    assertEquals(4, many.size());
    assertNotNull(many.acquire("k9", "u", "f", LONG));
  }

  @Test
  void wrongOptionsAreRejected() {
    assertEquals(
        "capacity must be at least 1, was 0", Played.rejection(() -> MemoryIdempotency.of(0)));
  }
}
