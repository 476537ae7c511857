package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.SessionStore;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MemorySessionsTest {

  private Instant now = Instant.parse("2030-01-01T00:00:00Z");
  private final MemorySessions store = new MemorySessions(3, Duration.ofMinutes(10), () -> now);

  @Test
  void theLeastRecentlyUsedSessionIsRemovedFirst() {
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
    assertTrue(store.touch("a", session(null)));
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
    assertFalse(store.replace("a", session(null), 1).replaced());
    assertFalse(store.touch("a", session(null)));
  }

  @Test
  void expiredSessionsAreRemoved() {
    store.create("a", session(null));
    store.create("b", session(null));
    now = now.plusSeconds(601);
    store.create("c", session(null));
    assertEquals(1, store.size());
  }

  @Test
  void aRemovedSessionCannotBeReplaced() {
    store.create("a", session(null));
    store.remove("a");
    store.remove("a");
    assertFalse(store.replace("a", session(null), 1).replaced());
    assertNull(store.load("a"));
  }

  @Test
  void aTouchUsesTheStoredMaxAge() {
    store.create("a", new SessionStore.SessionData("{}", now.plusSeconds(5), 5_000L));
    now = now.plusSeconds(4);
    assertTrue(store.touch("a", session(now.plusSeconds(900))));
    now = now.plusSeconds(4);
    assertTrue(store.load("a") != null);
    now = now.plusSeconds(1);
    assertNull(store.load("a"));
  }

  @Test
  @DisplayName("CK-11 a flood of new sessions removes only new sessions")
  void aFloodOfNewSessionsKeepsSessionsInUse() {
    MemorySessions many = new MemorySessions(100, Duration.ofDays(1), () -> now);
    for (int i = 0; i < 50; i++) {
      many.create("user" + i, session(null));
      assertTrue(many.load("user" + i) != null);
    }
    now = now.plusSeconds(23 * 3600);
    for (int i = 0; i < 10_000; i++) {
      many.create("flood" + i, session(null));
    }
    assertEquals(100, many.size());
    for (int i = 0; i < 50; i++) {
      assertTrue(many.load("user" + i) != null, "user" + i);
    }
  }

  @ParameterizedTest(name = "CK-11 a flood that sends each cookie {0} times keeps sessions in use")
  @ValueSource(ints = {1, 2, 10})
  void aFloodOfReturningSessionsKeepsSessionsInUse(int times) {
    MemorySessions many = new MemorySessions(100, Duration.ofDays(1), () -> now);
    for (int i = 0; i < 50; i++) {
      many.create("user" + i, session(null));
      assertTrue(many.load("user" + i) != null);
    }
    for (int i = 0; i < 10_000; i++) {
      now = now.plusMillis(i % 100 == 0 ? 100 : 1);
      many.create("flood" + i, session(null));
      for (int k = 0; k < times; k++) {
        many.load("flood" + i);
        boolean ignored = many.touch("flood" + i, session(null));
      }
    }
    assertEquals(100, many.size());
    for (int i = 0; i < 50; i++) {
      assertTrue(many.load("user" + i) != null, "user" + i);
    }
    many.create("guest", session(null));
    assertTrue(many.load("guest") != null);
  }

  @Test
  void aSessionUnusedForAnHourGivesUpItsPlace() {
    MemorySessions eight = new MemorySessions(8, Duration.ofDays(1), () -> now);
    for (int i = 0; i < 7; i++) {
      eight.create("old" + i, session(null));
      assertTrue(eight.load("old" + i) != null);
    }
    now = now.plusSeconds(3599);
    assertTrue(eight.load("old0") != null);
    eight.create("new", session(null));
    assertTrue(eight.load("new") != null);
    eight.create("newer", session(null)); // none is unused for an hour: removes "new"
    assertNull(eight.load("new"));
    now = now.plusSeconds(1);
    assertTrue(eight.load("newer") != null); // replaces "old1"
    eight.create("newest", session(null));
    assertNull(eight.load("old1"));
    assertTrue(eight.load("old0") != null);
    assertTrue(eight.load("newer") != null);
    assertEquals(8, eight.size());
  }

  @Test
  void expiredSessionsInUseAreRemovedAtAnyPosition() {
    MemorySessions eight = new MemorySessions(8, Duration.ofDays(1), () -> now);
    for (int i = 0; i < 7; i++) {
      eight.create("a" + i, session(i == 3 ? now.plusSeconds(60) : null));
      assertTrue(eight.load("a" + i) != null);
    }
    now = now.plusSeconds(120);
    eight.create("b", session(null));
    assertTrue(eight.load("b") != null);
    eight.create("c", session(null));
    assertTrue(eight.load("b") != null);
    assertEquals(8, eight.size());
  }

  @Test
  void aStoreForOneSessionKeepsTheLast() {
    MemorySessions one = MemorySessions.of(1, Duration.ofDays(1));
    one.create("a", session(null));
    assertTrue(one.load("a") != null);
    one.create("b", session(null));
    assertNull(one.load("a"));
    assertTrue(one.load("b") != null);
    assertEquals(1, one.size());
  }

  @Test
  void boundsMustBePositive() {
    assertThrows(IllegalArgumentException.class, () -> MemorySessions.of(0, Duration.ofDays(1)));
    assertThrows(IllegalArgumentException.class, () -> MemorySessions.of(1, Duration.ZERO));
  }

  private static SessionStore.SessionData session(@Nullable Instant expires) {
    return new SessionStore.SessionData("{}", expires, null);
  }
}
