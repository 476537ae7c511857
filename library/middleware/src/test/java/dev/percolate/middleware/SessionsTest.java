package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.MiddlewareTraits;
import dev.percolate.core.Request;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Percent;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

final class SessionsTest {

  private static final Handler COUNT =
      (req, res) -> {
        Session session = req.attr(Sessions.SESSION);
        int n = session.get("n") instanceof Integer known ? known + 1 : 1;
        res.send("" + session.set("n", n).get("n"));
      };
  private static final Handler LOOK =
      (req, res) -> res.send("" + req.attr(Sessions.SESSION).get("n"));

  private final MemorySessions store = MemorySessions.of(100, Duration.ofHours(1));
  private final Sessions sessions = Sessions.of("s").store(store);

  @Test
  void aVisitorIsRememberedByTheCookie() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    assertEquals("2", Played.reply(with(first), sessions, COUNT).text());
    assertEquals("3", Played.reply(with(first), sessions, COUNT).text());
    assertEquals("1", Played.reply(Call.get("/"), sessions, COUNT).text());
  }

  @Test
  void idsHaveManyRandomBitsAndNeverRepeat() {
    Set<String> ids = new HashSet<>();
    Handler id = (req, res) -> res.send(req.attr(Sessions.SESSION).id());
    for (int i = 0; i < 50; i++) {
      String text = Played.reply(Call.get("/"), sessions, id).text();
      assertTrue(text.matches("[A-Za-z0-9_-]{32}"), text);
      assertTrue(ids.add(text));
    }
  }

  @Test
  @DisplayName("CK-06 an id that is not in the store is not accepted")
  void anUnknownIdIsNotAccepted() {
    Handler id = (req, res) -> res.send(req.attr(Sessions.SESSION).id());
    String signed = "s:" + CookieSignature.sign("session", "sid", "planted", "s");
    Call call = Call.get("/").header("Cookie", "sid=" + Percent.encodeComponent(signed));
    assertNotEquals("planted", Played.reply(call, sessions, id).text());
    store.create("planted", new SessionStore.SessionData("{\"n\":7}", null, null));
    assertEquals("7", Played.reply(call, sessions, LOOK).text()); // the signature is valid
  }

  @Test
  @DisplayName("CK-06 regenerate creates a new id, and removes the old session")
  void regenerateCreatesANewIdAndRemovesTheOldSession() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    Handler login =
        (req, res) -> {
          Session before = req.attr(Sessions.SESSION);
          Session after = before.regenerate();
          assertNotEquals(before.id(), after.id());
          assertEquals(after, req.attr(Sessions.SESSION));
          after.set("user", "ann");
          res.send("in");
        };
    Reply second = Played.reply(with(first), sessions, login);
    Handler user = (req, res) -> res.send("" + req.attr(Sessions.SESSION).get("user"));
    assertEquals("ann", Played.reply(with(second), sessions, user).text());
    assertEquals("null", Played.reply(with(first), sessions, user).text());
  }

  @Test
  @DisplayName("CK-06 a slow request does not restore a destroyed session")
  void aSlowRequestDoesNotRestoreADestroyedSession() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    Handler slow =
        (req, res) -> {
          assertEquals(1, req.attr(Sessions.SESSION).get("n"));
          Handler logout =
              (rq, rs) -> {
                rq.attr(Sessions.SESSION).destroy();
                rs.send("out");
              };
          assertEquals("out", Played.reply(with(first), sessions, logout).text());
          req.attr(Sessions.SESSION).set("late", true);
          res.send("slow");
        };
    assertEquals("slow", Played.reply(with(first), sessions, slow).text());
    assertEquals(0, store.size());
    assertEquals("null", Played.reply(with(first), sessions, LOOK).text());
  }

  @Test
  void theSessionIsStoredBeforeAChunkedResponseEnds() {
    Handler pieces =
        (req, res) -> {
          req.attr(Sessions.SESSION).set("n", 6);
          res.write("a");
          assertEquals("{\"n\":6}", stored(req)); // the client already has the cookie
          req.attr(Sessions.SESSION).set("n", 7);
          res.end("b");
          assertEquals("{\"n\":7}", stored(req));
        };
    Reply reply = Played.reply(Call.get("/"), sessions, pieces);
    assertEquals("ab", reply.text());
    assertEquals("7", Played.reply(with(reply), sessions, LOOK).text());
  }

  /** The client of an event stream usually disconnects before its end. */
  @Test
  void theSessionIsStoredOnceBeforeAStreamBegins() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    Counting counting = new Counting(store);
    Handler stream =
        (req, res) -> {
          req.attr(Sessions.SESSION).set("n", 8);
          res.flushHeaders();
          assertEquals("load replace", counting.calls());
          res.end("a");
        };
    assertEquals("a", Played.reply(with(first), sessions.store(counting), stream).text());
    assertEquals("", counting.calls());
    assertEquals("8", Played.reply(with(first), sessions, LOOK).text());
  }

  @Test
  void aSessionThatIsReadByAStreamIsTouchedOnce() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    MemorySessions later =
        new MemorySessions(100, Duration.ofHours(1), () -> Instant.now().minusSeconds(900));
    Counting counting = new Counting(later);
    Handler id = (req, res) -> res.send(req.attr(Sessions.SESSION).id());
    String known = Played.reply(with(first), sessions, id).text();
    later.create(known, new SessionStore.SessionData("{\"n\":1}", null, null));
    Handler stream =
        (req, res) -> {
          Object ignored = req.attr(Sessions.SESSION).get("n");
          res.write("a");
          assertEquals("load touch", counting.calls());
          res.end("b");
        };
    Sessions touching = sessions.store(counting).touchInterval(Duration.ofMinutes(5));
    assertEquals("ab", Played.reply(with(first), touching, stream).text());
    assertEquals("", counting.calls());
  }

  @Test
  void aResponseWithoutLengthIsChunked() {
    Handler end = (req, res) -> res.end("abc");
    assertNull(Played.reply(Call.get("/"), sessions, end).header("Content-Length"));
    assertEquals("1", Played.reply(Call.get("/"), sessions, COUNT).header("Content-Length"));
  }

  @Test
  void anEmptyNewSessionIsStoredOnlyIfConfigured() {
    Handler nothing = (req, res) -> res.send("x" + req.attr(Sessions.SESSION).get("n"));
    assertNull(Played.reply(Call.get("/"), sessions, nothing).header("Set-Cookie"));
    assertNull(Played.reply(Call.get("/"), sessions.rolling(true), nothing).header("Set-Cookie"));
    assertEquals(0, store.size());
    assertTrue(Played.reply(Call.get("/"), sessions, COUNT).header("Set-Cookie") != null);
    assertEquals(1, store.size());
    Sessions all = sessions.saveUninitialized(true);
    assertTrue(Played.reply(Call.get("/"), all, nothing).header("Set-Cookie") != null);
    assertEquals(2, store.size());
  }

  @Test
  void aNewSessionIsNotStoredIfTheHeadersWereSentBefore() {
    Handler late =
        (req, res) -> {
          res.write("a");
          req.attr(Sessions.SESSION).set("n", 7);
          res.end("b");
        };
    assertNull(Played.reply(Call.get("/"), sessions, late).header("Set-Cookie"));
    assertEquals(0, store.size());
  }

  @Test
  void anUnchangedSessionIsOnlyTouchedUnlessConfigured() throws Exception {
    Counting counting = new Counting(store);
    Sessions counted = sessions.store(counting);
    Reply first = Played.reply(Call.get("/"), counted, COUNT);
    assertEquals("create", counting.calls());
    Played.reply(with(first), counted, LOOK);
    assertEquals("load", counting.calls());
    Played.reply(with(first), counted.touchInterval(Duration.ZERO), LOOK);
    assertEquals("load touch", counting.calls());
    Played.reply(with(first), counted, (req, res, next) -> res.send("never looked"));
    assertEquals("", counting.calls());
    Played.reply(with(first), counted, COUNT);
    assertEquals("load replace", counting.calls());
    Played.reply(with(first), counted.resave(true), LOOK);
    assertEquals("load replace", counting.calls());
  }

  @Test
  void aSessionSavedByTheHandlerIsNotStoredTwice() {
    Counting counting = new Counting(store);
    Handler saving =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          session.set("a", 1);
          assertEquals(session, session.save());
          res.send("x");
        };
    Played.reply(Call.get("/"), sessions.store(counting), saving);
    assertEquals("create", counting.calls());
  }

  @Test
  void theTextOfASessionHasOnlyNamesAndNeverLoadsIt() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    Counting counting = new Counting(store);
    Handler show =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          String unloaded = session.toString();
          assertEquals("", counting.calls());
          res.send(unloaded + " " + session.set("card", "4711"));
        };
    assertEquals(
        "Session[unloaded] Session[n, card]",
        Played.reply(with(first), sessions.store(counting), show).text());
  }

  @Test
  void reloadDiscardsChanges() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    Handler reload =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          session.set("n", 99);
          res.send("" + session.reload().get("n"));
        };
    assertEquals("1", Played.reply(with(first), sessions, reload).text());
    Handler gone =
        (req, res) -> {
          store.remove(req.attr(Sessions.SESSION).id());
          req.attr(Sessions.SESSION).reload();
        };
    assertEquals(
        "reload(): the session is no longer in the store",
        Played.reply(with(first), sessions, gone).text());
  }

  @Test
  void aSessionRemovedFromTheRequestStaysStoredUnlessDestroyed() {
    Handler unset =
        (req, res) -> {
          req.attr(Sessions.SESSION, null);
          res.send("x");
        };
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    assertNull(Played.reply(with(first), sessions, unset).header("Set-Cookie"));
    assertEquals("1", Played.reply(with(first), sessions, LOOK).text());
    Played.reply(with(first), sessions.unset("destroy"), unset);
    assertEquals(0, store.size());
  }

  @Test
  void sessionsExpireAfterTheirLifetime() {
    Sessions brief = sessions.cookie(c -> c.maxAge(60_000));
    Reply first = Played.reply(Call.get("/"), brief, COUNT);
    assertTrue(String.valueOf(first.header("Set-Cookie")).contains("; Expires="));
    assertFalse(String.valueOf(first.header("Set-Cookie")).contains("Max-Age"));
    Handler expire =
        (req, res) -> {
          req.attr(Sessions.SESSION).cookie().maxAge(-1000);
          res.send("x");
        };
    assertEquals("x", Played.reply(with(first), brief, expire).text());
    assertEquals("1", Played.reply(with(first), brief, COUNT).text());
  }

  @Test
  void aSecureCookieNeedsHttps() {
    Sessions secure = sessions.cookie(c -> c.secure(true));
    Call forwarded = Call.get("/").header("X-Forwarded-Proto", "HTTPS , http");
    assertNull(Played.reply(Call.get("/"), secure, COUNT).header("Set-Cookie"));
    assertNull(Played.reply(forwarded, secure, COUNT).header("Set-Cookie"));
    assertNull(Played.reply(forwarded, secure.proxy(false), COUNT).header("Set-Cookie"));
    assertTrue(Played.reply(forwarded, secure.proxy(true), COUNT).header("Set-Cookie") != null);
  }

  @Test
  void theSessionCookieIsLast() {
    Handler other =
        (req, res) -> {
          req.attr(Sessions.SESSION).set("n", 1);
          Object ignored = res.cookie("a", "b");
          res.send("x");
        };
    List<String> cookies = Played.reply(Call.get("/"), sessions, other).all("Set-Cookie");
    assertEquals(2, cookies.size());
    assertEquals("a=b; Path=/", cookies.get(0));
  }

  @Test
  void aStoreFailureResultsInAnErrorPage() {
    Middleware failing =
        sessions.store(
            new Counting(store) {
              @Override
              public Entry create(String id, SessionData session) throws IOException {
                throw new IOException("down");
              }
            });
    Reply reply = Played.reply(Call.get("/"), failing, COUNT);
    assertEquals("503 the session store is not available", reply.status() + " " + reply.text());
    assertEquals("1", reply.header("Retry-After"));
    assertNull(reply.header("Set-Cookie"));
  }

  @Test
  void invalidOptionsAreRejected() {
    assertEquals(
        "Sessions.of: the secret must not be empty", Played.rejection(() -> Sessions.of("")));
    assertThrows(IllegalArgumentException.class, () -> Sessions.of(List.of()));
    assertThrows(IllegalArgumentException.class, () -> sessions.name("a b"));
    assertThrows(IllegalArgumentException.class, () -> sessions.unset("Keep"));
  }

  @Test
  void secretsThatCanBeGuessedAreAWarning() {
    for (MiddlewareTraits traits :
        List.of(
            Sessions.of("x").traits(),
            Sessions.of(List.of("a secret of some length", "keyboard cat")).traits(),
            CookieSession.of("keyboard cat").traits(),
            CookieParser.of("x").traits())) {
      String warning = String.valueOf(traits.warning());
      assertTrue(warning.contains("is shorter than 16 characters"), warning);
    }
    String repeated = String.valueOf(Sessions.of("a".repeat(40)).traits().warning());
    assertTrue(repeated.contains("repeats few characters"), repeated);
    assertNull(Sessions.of("a secret of some length").traits().warning());
    assertNull(Sessions.of().traits().warning());
    assertNull(CookieSession.of().traits().warning());
    assertNull(CookieParser.of().traits().warning());
  }

  private String stored(Request req) {
    SessionStore.Entry entry = store.load(req.attr(Sessions.SESSION).id());
    return entry == null ? "" : entry.session().json();
  }

  /** Records the calls of the methods of a store. */
  private static class Counting implements SessionStore {

    private final SessionStore store;
    private final StringBuilder calls = new StringBuilder();

    Counting(SessionStore store) {
      this.store = store;
    }

    String calls() {
      String text = calls.toString().trim();
      calls.setLength(0);
      return text;
    }

    @Override
    public @Nullable Entry load(String id) throws IOException {
      calls.append(" load");
      return store.load(id);
    }

    @Override
    public Entry create(String id, SessionData session) throws IOException {
      calls.append(" create");
      return store.create(id, session);
    }

    @Override
    public ReplaceResult replace(String id, SessionData session, long version) throws IOException {
      calls.append(" replace");
      return store.replace(id, session, version);
    }

    @Override
    public boolean touch(String id, SessionData session) throws IOException {
      calls.append(" touch");
      return store.touch(id, session);
    }

    @Override
    public void remove(String id) throws IOException {
      calls.append(" remove");
      store.remove(id);
    }

    @Override
    public void removeAll(String owner) throws IOException {
      calls.append(" removeAll");
      store.removeAll(owner);
    }

    @Override
    public List<OwnedSession> list(String owner) throws IOException {
      calls.append(" list");
      return store.list(owner);
    }

    @Override
    public boolean removeOwned(String owner, String handle) throws IOException {
      calls.append(" removeOwned");
      return store.removeOwned(owner, handle);
    }
  }
}
