package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.SessionStore.OwnedSession;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests updates that depend on stored values, and the owners of sessions. */
final class SessionUpdateTest {

  private static final Handler ADD = (req, res) -> res.send("" + addTo(req.attr(Sessions.SESSION)));
  private static final Handler SHOW =
      (req, res) -> res.send(req.attr(Sessions.SESSION).values().entrySet().toString());

  private final MemorySessions store = MemorySessions.of();
  private final Sessions sessions = Sessions.of("s").store(store);

  private static int addTo(Session session) {
    return session.update(SessionUpdateTest::plusOne);
  }

  private static int plusOne(Session session) {
    int n = session.get("n") instanceof Integer known ? known + 1 : 1;
    session.set("n", n);
    return n;
  }

  private Reply play(Call call, Handler handler) {
    return Played.reply(call, sessions, handler);
  }

  @Test
  void anUpdateStoresANewSessionAndSetsItsCookie() {
    Reply first = play(Call.get("/"), ADD);
    assertEquals("1", first.text());
    assertEquals("2", play(with(first), ADD).text());
    assertEquals(1, store.size());
  }

  @Test
  void noSimultaneousUpdateIsLost() throws Exception {
    Reply bob = play(Call.get("/"), ADD);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int k = 0; k < 20; k++) {
                  play(with(bob), ADD);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals("202", play(with(bob), ADD).text());
  }

  @Test
  void anUpdateIsRepeatedAfterAConflict() {
    Reply bob = play(Call.get("/"), ADD);
    AtomicInteger calls = new AtomicInteger();
    Handler late =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          session.set("mine", true);
          session.remove("old");
          int n =
              session.update(
                  s -> {
                    if (calls.incrementAndGet() <= 2) {
                      play(with(bob), ADD);
                      s.set("wrong" + calls.get(), 1);
                    }
                    return plusOne(s);
                  });
          res.send(n + " " + session.get("wrong1") + session.get("mine"));
        };
    assertEquals("4 nulltrue", play(with(bob), late).text());
    assertEquals(3, calls.get());
    assertEquals("[n=4, mine=true]", play(with(bob), SHOW).text());
  }

  @Test
  void aSessionRemovedDuringAnUpdateStaysRemoved() {
    Reply bob = play(Call.get("/"), ADD);
    Handler late =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          session.update(
              s -> {
                play(
                    with(bob),
                    (inner, answer) -> {
                      inner.attr(Sessions.SESSION).destroy();
                      answer.send("out");
                    });
                return plusOne(s);
              });
          res.send("x");
        };
    assertEquals("x", play(with(bob), late).text());
    assertEquals(0, store.size());
    assertEquals("[]", play(with(bob), SHOW).text());
  }

  @Test
  void aFailedUpdateChangesNothing() {
    Reply bob = play(Call.get("/"), ADD);
    Handler failing =
        (req, res) -> {
          assertThrows(
              IllegalStateException.class,
              () ->
                  req.attr(Sessions.SESSION)
                      .update(
                          s -> {
                            throw new IllegalStateException("no");
                          }));
          res.send("x");
        };
    play(with(bob), failing);
    assertEquals("2", play(with(bob), ADD).text());
  }

  @Test
  void allSessionsOfAUserEnd() {
    Handler login =
        (req, res) -> {
          req.attr(Sessions.SESSION).regenerate().owner(req.get("X-User")).set("n", 1);
          res.send("in");
        };
    Reply phone = play(Call.get("/").header("X-User", "bob"), login);
    Reply desk = play(Call.get("/").header("X-User", "bob"), login);
    Reply other = play(Call.get("/").header("X-User", "eve"), login);
    play(with(phone), ADD); // the owner is kept
    Handler out =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          assertEquals("bob", session.owner());
          session.owned().endAll();
          res.send("out");
        };
    assertEquals("out", play(with(desk), out).text());
    assertEquals("[]", play(with(phone), SHOW).text());
    assertEquals("[]", play(with(desk), SHOW).text());
    assertEquals("[n=1]", play(with(other), SHOW).text());
  }

  @Test
  void allSessionsEndEvenIfTheStoreCannotListThem() throws Exception {
    MemorySessions memory = MemorySessions.of();
    SessionStore unreadable =
        new ForwardingStore(memory) {
          @Override
          public List<OwnedSession> list(String owner) throws IOException {
            throw new IOException("a session is unreadable");
          }
        };
    Middleware sessions = Sessions.of("the secret of signatures").store(unreadable);
    Handler login =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION).owner("ann").set("n", 1);
          res.send(session.id());
        };
    String other = Played.reply(Call.get("/"), sessions, login).text();
    Handler out =
        (req, res) -> {
          req.attr(Sessions.SESSION).owner("ann").owned().endAll();
          res.send("out");
        };
    assertEquals("out", Played.reply(Call.get("/"), sessions, out).text());
    assertNull(memory.load(other));
  }

  @Test
  void usersSeeAndEndTheirSessions() {
    Handler login =
        (req, res) -> {
          req.attr(Sessions.SESSION).regenerate().owner(req.get("X-User")).set("n", 1);
          res.send(req.attr(Sessions.SESSION).owned().ownHandle());
        };
    String agent = "Phone/1.0 " + "x".repeat(300);
    Reply phone = play(Call.get("/").header("X-User", "bob").header("User-Agent", agent), login);
    Reply desk = play(Call.get("/").header("X-User", "bob"), login);
    Reply other = play(Call.get("/").header("X-User", "eve"), login);
    Handler list =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          for (OwnedSession one : session.owned().list()) {
            String client = one.userAgent();
            boolean isPhone = one.handle().equals(phone.text());
            assertEquals(isPhone ? agent.substring(0, 255) : null, client);
          }
          res.send(
              "" + session.owned().list().stream().map(OwnedSession::handle).sorted().toList());
        };
    String both = Stream.of(phone.text(), desk.text()).sorted().toList().toString();
    assertEquals(both, play(with(desk), list).text());
    assertEquals("[]", play(Call.get("/"), list).text());
    Handler end =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          assertFalse(session.owned().end(other.text()));
          assertFalse(session.owned().end("../\0"));
          assertTrue(session.owned().end(phone.text()));
          assertTrue(session.owned().end(desk.text()));
          res.send("" + req.attrOrNull(Session.ATTRIBUTE));
        };
    assertEquals("null", play(with(desk), end).text());
    assertEquals("[]", play(with(phone), list).text());
    assertEquals("[]", play(with(desk), list).text());
    assertEquals("[" + other.text() + "]", play(with(other), list).text());
  }

  @Test
  void ownersHaveALimitedLength() {
    Handler naming =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          assertNull(session.owner());
          for (String wrong : List.of("", "x".repeat(256))) {
            assertThrows(IllegalArgumentException.class, () -> session.owner(wrong));
          }
          res.send("" + session.owner("x".repeat(255)).owner(null).owner());
        };
    assertEquals("null", play(Call.get("/"), naming).text());
  }
}
