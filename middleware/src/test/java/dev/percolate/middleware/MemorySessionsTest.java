package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class MemorySessionsTest {

  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final MemorySessions store = new MemorySessions(3, Duration.ofMinutes(10), () -> now);

  @Test
  void theOneNotUsedForTheLongestTimeGoesFirst() {
    for (String id : new String[] {"a", "b", "c"}) {
      store.create(id, session(null));
    }
    assertTrue(store.load("a") != null);
    store.create("d", session(null));
    assertNull(store.load("b"));
    assertTrue(store.load("a") != null);
    assertEquals(3, store.size());
  }

  @Test
  void aSessionWithoutAnEndLivesAsLongAsItIsUsed() {
    store.create("a", session(null));
    now = now.plusSeconds(599);
    assertTrue(store.touch("a", null));
    now = now.plusSeconds(599);
    assertTrue(store.load("a") != null);
    now = now.plusSeconds(1);
    assertNull(store.load("a"));
    assertEquals(0, store.size());
  }

  @Test
  void aSessionWithAnEndLivesUntilThen() {
    store.create("a", session(now.plusSeconds(5)));
    now = now.plusSeconds(4);
    assertTrue(store.load("a") != null);
    now = now.plusSeconds(1);
    assertNull(store.load("a"));
    assertFalse(store.replace("a", session(null)));
    assertFalse(store.touch("a", null));
  }

  @Test
  void expiredOnesMakeRoom() {
    store.create("a", session(null));
    store.create("b", session(null));
    now = now.plusSeconds(601);
    store.create("c", session(null));
    assertEquals(1, store.size());
  }

  @Test
  void whatWasRemovedIsNotReplaced() {
    store.create("a", session(null));
    store.remove("a");
    store.remove("a");
    assertFalse(store.replace("a", session(null)));
    assertNull(store.load("a"));
  }

  @Test
  void aTouchGoesByTheLifeThatIsStored() {
    store.create("a", new SessionStore.Stored("{}", now.plusSeconds(5), 5_000L));
    now = now.plusSeconds(4);
    assertTrue(store.touch("a", now.plusSeconds(900)));
    now = now.plusSeconds(4);
    assertTrue(store.load("a") != null);
    now = now.plusSeconds(1);
    assertNull(store.load("a"));
  }

  @Test
  void aChangeIsMadeOfWhatIsStoredAndKeepsWhatWasRemovedAway() {
    store.create("a", new SessionStore.Stored("{}", null, 5L, "{1}"));
    assertTrue(
        store.change(
            "a", before -> new SessionStore.Stored("x" + before.cookie(), null, before.maxAge())));
    assertEquals(new SessionStore.Stored("x{1}", null, 5L), store.load("a"));
    store.remove("a");
    assertFalse(
        store.change(
            "a",
            before -> {
              throw new AssertionError("called without a session");
            }));
    assertEquals(0, store.size());
  }

  @Test
  void boundsMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> MemorySessions.of(0, Duration.ofDays(1)));
    assertThrows(IllegalArgumentException.class, () -> MemorySessions.of(1, Duration.ZERO));
  }

  private static SessionStore.Stored session(@Nullable Instant expires) {
    return new SessionStore.Stored("{}", expires, null);
  }
}
