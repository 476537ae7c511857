package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Handler;
import dev.percolate.core.store.SessionStore;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests simultaneous requests of one visitor: values that a request does not change are kept. */
final class SessionMergeTest {

  private static final Handler ALL =
      (req, res) -> res.send(req.attr(Sessions.SESSION).values().toString());

  private final MemorySessions store = MemorySessions.of(100, Duration.ofHours(1));
  private Sessions sessions = Sessions.of("s").store(store);

  /** An action on a session. */
  private interface Deed {
    void to(Session session) throws IOException;
  }

  private static Handler doing(Deed deed) {
    return (req, res) -> {
      deed.to(req.attr(Sessions.SESSION));
      res.send("done");
    };
  }

  private Reply begin(Deed deed) {
    return Played.reply(Call.get("/"), sessions, doing(deed));
  }

  private void play(Reply visitor, Deed deed) {
    assertEquals("done", Played.reply(with(visitor), sessions, doing(deed)).text());
  }

  /** Sends a request during which another request is sent after the first action. */
  private void playAround(Reply visitor, Deed first, Deed meanwhile, Deed last) {
    play(
        visitor,
        session -> {
          first.to(session);
          play(visitor, meanwhile);
          last.to(session);
        });
  }

  private String all(Reply visitor) {
    return Played.reply(with(visitor), sessions, ALL).text();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("CK-10 a slow request that only reads does not undo a removal")
  void aSlowReaderDoesNotUndoChanges(boolean resave) {
    sessions = sessions.resave(resave);
    Reply bob =
        begin(
            session -> {
              session.set("user", "bob");
              session.set("seen", 1);
            });
    playAround(
        bob,
        session -> assertEquals("bob", session.get("user")),
        session -> session.remove("user"),
        session -> assertEquals("bob", session.get("user")));
    assertEquals("{seen=1}", all(bob));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("CK-10 a slow request that writes does not restore values that it has not changed")
  void aSlowWriterDoesNotUndoChanges(boolean resave) {
    sessions = sessions.resave(resave);
    Reply bob =
        begin(
            session -> {
              session.set("user", "bob");
              session.set("cart", List.of("a"));
              session.set("old", 1);
            });
    playAround(
        bob,
        session -> session.set("late", true),
        session -> {
          session.remove("user");
          session.set("cart", List.of("a", "b"));
          session.set("new", 2);
        },
        session -> session.remove("old"));
    assertEquals("{cart=[a, b], new=2, late=true}", all(bob));
  }

  @Test
  void theLaterOfTwoChangesToANameWins() {
    Reply bob = begin(session -> session.set("n", 1));
    playAround(bob, session -> session.set("n", 2), session -> session.set("n", 3), session -> {});
    assertEquals("{n=2}", all(bob));
  }

  @Test
  void onlyValuesChangedInPlaceAreStored() {
    Reply bob =
        begin(
            session -> {
              session.set("cart", new ArrayList<>(List.of("a")));
              session.set("deep", Map.of("list", List.of(Map.of("n", 1))));
            });
    playAround(
        bob,
        session -> {
          @SuppressWarnings("unchecked") // a list of strings, see above
          List<Object> cart = (List<Object>) session.get("cart");
          cart.add("b");
          assertEquals(Map.of("list", List.of(Map.of("n", 1))), session.get("deep"));
        },
        session -> session.set("deep", "changed"),
        session -> {});
    assertEquals("{cart=[a, b], deep=changed}", all(bob));
  }

  @Test
  void puttingTheSameJsonIsNotAChange() {
    Reply bob = begin(session -> session.set("at", new int[] {1, 2}));
    playAround(
        bob,
        session -> session.set("at", new int[] {1, 2}),
        session -> session.remove("at"),
        session -> {});
    assertEquals("{}", all(bob));
  }

  @Test
  void simultaneousChangesToDifferentNamesAreKept() throws Exception {
    Reply bob = begin(session -> session.set("n", 0));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String name = "t" + i;
      Thread thread =
          new Thread(
              () -> {
                for (int k = 0; k < 25; k++) {
                  int value = k;
                  play(bob, session -> session.set(name + "." + value, value));
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    String keys =
        Played.reply(
                with(bob),
                sessions,
                (req, res, next) -> res.send("" + req.attr(Sessions.SESSION).names().size()))
            .text();
    assertEquals("201", keys);
  }

  @Test
  @DisplayName("CK-06 neither a slow reader nor a slow writer restores a regenerated session")
  void aRegeneratedSessionStaysRemoved() {
    for (boolean writes : new boolean[] {false, true}) {
      Reply bob = begin(session -> session.set("user", "bob"));
      playAround(
          bob,
          session -> assertEquals("bob", session.get("user")),
          Session::regenerate,
          session -> {
            if (writes) {
              session.set("late", true);
            }
          });
      assertEquals("{}", all(bob));
    }
    assertEquals(0, store.size());
  }

  @Test
  void aSessionSavedEarlyIsMergedAgainAtTheEnd() {
    Reply bob = begin(session -> session.set("a", 1));
    playAround(
        bob,
        session -> {
          session.set("b", 2);
          Session ignored = session.save();
        },
        session -> {
          session.remove("a");
          session.remove("b");
        },
        session -> session.set("c", 3));
    assertEquals("{c=3}", all(bob));
  }

  @Test
  void aSlowRequestKeepsTheLifetimeSetByAnother() throws Exception {
    Reply bob = begin(session -> session.set("user", "bob"));
    for (Deed last : List.<Deed>of(session -> {}, session -> session.set("n", 1))) {
      String[] id = {""};
      playAround(
          bob,
          session -> id[0] = session.id(),
          session -> {
            SessionCookie ignored = session.cookie().maxAge(1_000_000).secure(false).path("/x");
          },
          last);
      SessionStore.SessionData stored = stored(id[0]);
      assertEquals(1_000_000L, stored == null ? null : stored.maxAge());
      Instant end = stored == null ? null : stored.expires();
      assertEquals(true, end != null && end.isAfter(Instant.now().plusSeconds(900)));
      assertEquals("{\"path\":\"/x\"}", stored == null ? null : stored.cookie());
    }
  }

  @Test
  void aSessionIsNotParsedUnlessAccessed() throws Exception {
    Reply bob = begin(session -> session.set("user", "bob"));
    String[] id = {""};
    play(bob, session -> id[0] = session.id());
    SessionStore.Entry ignored =
        store.create(id[0], new SessionStore.SessionData("{broken", null, null));
    play(bob, session -> {});
    SessionStore.SessionData stored = stored(id[0]);
    assertEquals("{broken", stored == null ? null : stored.json());
    assertNull(stored == null ? null : stored.cookie());
  }

  private SessionStore.@Nullable SessionData stored(String id) {
    SessionStore.Entry entry = store.load(id);
    return entry == null ? null : entry.session();
  }
}
