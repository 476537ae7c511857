package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.middleware.store.StoreFailures;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests responses while a store is unavailable or returns invalid data. */
final class StoreFailureTest {

  private static final Handler COUNT =
      (req, res) -> {
        Session session = req.attr(Sessions.SESSION);
        int n = session.get("n") instanceof Integer known ? known + 1 : 1;
        session.set("n", n);
        res.send("" + n);
      };
  private static final Handler LOOK =
      (req, res) -> res.send("" + req.attr(Sessions.SESSION).get("n"));
  private static final Handler OK = (req, res) -> res.send("ok");

  private final Failing store = new Failing(MemorySessions.of());
  private final Sessions sessions = Sessions.of("s").store(store);

  @Test
  void accessToASessionResultsIn503WithRetryAfter() {
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    store.failure = new IOException("connection refused");
    Reply rejected = Played.reply(with(first), sessions, LOOK);
    assertEquals("503 the session store is not available", text(rejected));
    assertEquals("1", rejected.header("Retry-After"));
    assertEquals("200 ok", text(Played.reply(with(first), sessions, OK)));
    assertEquals("200 null", text(Played.reply(Call.get("/"), sessions, LOOK)));
    assertEquals("503", text(Played.reply(Call.get("/"), sessions, COUNT)).substring(0, 3));
    store.failure = null;
    assertEquals("200 2", text(Played.reply(with(first), sessions, COUNT)));
  }

  @Test
  void theTextOfASessionNeedsNoStore() {
    Handler show = (req, res) -> res.send("" + req.attr(Sessions.SESSION));
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    store.failure = new IOException("connection refused");
    assertEquals("200 Session[unloaded]", text(Played.reply(with(first), sessions, show)));
  }

  @Test
  void aWebSocketHandshakeFailsIfItsSessionCannotBeStored() {
    store.failure = new IOException("connection refused");
    Middleware changed =
        (req, res, next) -> {
          req.attr(Sessions.SESSION).set("n", 1);
          next.run();
        };
    Service service =
        Chain.service(
            new Settings(), sessions, changed, WebSockets.callbacks().onText(WebSocket::send));
    try (MemoryClient client = MemoryClient.of(service)) {
      Reply rejected = client.webSocket("/").head();
      assertEquals("503", text(rejected).substring(0, 3));
      store.failure = null;
      assertEquals("hello", client.webSocket("/").send("hello").text());
    }
  }

  @Test
  void anonymousRequestsGetAnEmptySessionThatIsNotStored() {
    Sessions open = sessions.onFailure(Sessions.OnFailure.ANONYMOUS);
    Reply first = Played.reply(Call.get("/"), open, COUNT);
    store.failure = new IOException("connection refused");
    assertEquals("200 null", text(Played.reply(with(first), open, LOOK)));
    Reply counted = Played.reply(with(first), open, COUNT);
    assertEquals("200 1", text(counted));
    assertNull(counted.header("Set-Cookie"));
    Handler login =
        (req, res) -> {
          req.attr(Sessions.SESSION).regenerate().set("user", "bob");
          res.send("in");
        };
    assertEquals("503", text(Played.reply(with(first), open, login)).substring(0, 3));
    store.failure = null;
    assertEquals("200 2", text(Played.reply(with(first), open, COUNT)));
  }

  @Test
  void aSessionThatIsNotJsonIsAStoreFailure() {
    SessionStore broken =
        new Failing(store) {
          @Override
          public @Nullable Entry load(String id) throws IOException {
            Entry entry = super.load(id);
            return entry == null
                ? null
                : new Entry(new SessionData("{\"n", null, null), entry.version(), entry.touched());
          }
        };
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    assertEquals(
        "503", text(Played.reply(with(first), sessions.store(broken), LOOK)).substring(0, 3));
  }

  @Test
  void readsSucceedAndWritesFailIfTheStoreIsFull() {
    SessionStore full =
        new Failing(store) {
          @Override
          public boolean touch(String id, SessionData session) throws IOException {
            throw new IOException("OOM command not allowed");
          }

          @Override
          public ReplaceResult replace(String id, SessionData session, long version)
              throws IOException {
            throw new IOException("OOM command not allowed");
          }
        };
    Reply first = Played.reply(Call.get("/"), sessions, COUNT);
    Sessions failing = sessions.store(full).touchInterval(Duration.ZERO);
    for (int i = 0; i < 20; i++) {
      Reply read = Played.reply(with(first), failing, LOOK);
      assertEquals("200 1", text(read));
      assertNull(read.header("Retry-After"));
    }
    Reply written = Played.reply(with(first), failing, COUNT);
    assertEquals("503 the session store is not available", text(written));
    assertEquals("1", written.header("Retry-After"));
    assertEquals("200 1", text(Played.reply(with(first), failing.rolling(true), LOOK)));
  }

  @Test
  void aWarningNamesTheCausesOfAFailure() {
    List<String> lines = new ArrayList<>();
    StoreFailures failures = new StoreFailures("the topic", lines::add);
    IOException rejected = new IOException("Connection refused: /127.0.0.1:1");
    failures.note(
        new IOException("Redis is out of reach", new IllegalStateException("no link", rejected)));
    assertEquals(
        "the topic failed: java.io.IOException: Redis is out of reach; cause:"
            + " java.lang.IllegalStateException: no link; cause: java.io.IOException:"
            + " Connection refused: /127.0.0.1:1",
        lines.get(0));
  }

  @Test
  void failuresAreLoggedOncePerMinute() {
    List<String> lines = new ArrayList<>();
    StoreFailures failures = new StoreFailures("the session store", lines::add);
    for (int i = 0; i < 50; i++) {
      failures.note(new IOException("refused\nforged line " + "x".repeat(500)));
    }
    assertEquals(1, lines.size());
    String line = lines.get(0);
    assertTrue(line.startsWith("the session store failed: java.io.IOException: refused"), line);
    assertTrue(line.indexOf('\n') < 0 && line.length() < 300, line);
  }

  @Test
  void rateLimitsCountInMemoryOrAreOpenOrRejectIfTheStoreFails() {
    RateLimitStore away =
        (client, permits, limit, window) -> {
          throw new IOException("connection refused");
        };
    RateLimit one = RateLimit.of(1, Duration.ofHours(1)).store(away);
    assertEquals("200 ok", Played.outcome(Call.get("/"), one, OK));
    assertEquals("429", Played.outcome(Call.get("/"), one, OK).substring(0, 3));
    RateLimit open = one.onFailure(RateLimit.OnFailure.OPEN);
    assertEquals("200 ok", Played.outcome(Call.get("/"), open, OK));
    assertEquals("200 ok", Played.outcome(Call.get("/"), open, OK));
    Reply rejected = Played.reply(Call.get("/"), one.onFailure(RateLimit.OnFailure.REJECT), OK);
    assertEquals("503 the rate limit store is not available", text(rejected));
    assertEquals("1", rejected.header("Retry-After"));
  }

  @Test
  void requestsCanUseDifferentNumbersOfPermits() {
    RateLimit ten =
        RateLimit.of(10, Duration.ofHours(1)).cost(req -> req.path().equals("/search") ? 7 : 0);
    assertEquals("3", Played.reply(Call.get("/search"), ten, OK).header("RateLimit-Remaining"));
    assertEquals("2", Played.reply(Call.get("/"), ten, OK).header("RateLimit-Remaining"));
    assertEquals(429, Played.reply(Call.get("/search"), ten, OK).status());
  }

  @Test
  void aBlockingStoreIsRejectedOnEventLoops() {
    ListenOptions loops = ListenOptions.ofPort(0).threads(ThreadMode.EVENT_LOOP);
    IllegalArgumentException rejected =
        assertThrows(IllegalArgumentException.class, () -> sessions.checkStart(loops));
    assertEquals(
        "threads(\"event loop\"): Sessions.store(Failing) blocks the event loop;"
            + " use \"virtual\" or \"pool\"",
        rejected.getMessage());
    RateLimitStore waiting =
        (client, permits, limit, window) -> new RateLimitStore.Result(true, 1, 0, 0);
    RateLimit limit = RateLimit.of(1, Duration.ofHours(1));
    assertThrows(IllegalArgumentException.class, () -> limit.store(waiting).checkStart(loops));
    sessions.checkStart(ListenOptions.ofPort(0).threads(ThreadMode.POOL));
    Sessions.of("s").checkStart(loops);
    limit.checkStart(loops);
  }

  private static String text(Reply reply) {
    return reply.status() + " " + reply.text();
  }

  /** A store that delegates to another store, or fails. */
  private static class Failing implements SessionStore {

    private final SessionStore store;
    private @Nullable IOException failure;

    Failing(SessionStore store) {
      this.store = store;
    }

    private SessionStore up() throws IOException {
      if (failure != null) {
        throw failure;
      }
      return store;
    }

    @Override
    public @Nullable Entry load(String id) throws IOException {
      return up().load(id);
    }

    @Override
    public Entry create(String id, SessionData session) throws IOException {
      return up().create(id, session);
    }

    @Override
    public ReplaceResult replace(String id, SessionData session, long version) throws IOException {
      return up().replace(id, session, version);
    }

    @Override
    public boolean touch(String id, SessionData session) throws IOException {
      return up().touch(id, session);
    }

    @Override
    public void remove(String id) throws IOException {
      up().remove(id);
    }

    @Override
    public void removeAll(String owner) throws IOException {
      up().removeAll(owner);
    }

    @Override
    public List<OwnedSession> list(String owner) throws IOException {
      return up().list(owner);
    }

    @Override
    public boolean removeOwned(String owner, String handle) throws IOException {
      return up().removeOwned(owner, handle);
    }
  }
}
