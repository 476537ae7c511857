package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Percent;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that is in progress while another request of the same browser logs in never replaces
 * the cookie of the login. Browsers send requests in parallel, and process the responses in any
 * order (RFC 6265 section 3: the last Set-Cookie wins).
 */
final class ConcurrentLoginTest {

  private static final Handler VISIT =
      (req, res) -> {
        req.attr(Sessions.SESSION).set("visited", true);
        res.send("visited");
      };
  private static final Handler LOGIN =
      (req, res) -> {
        req.attr(Sessions.SESSION).regenerate().set("user", "ann");
        res.send("in");
      };
  private static final Handler LOGOUT =
      (req, res) -> {
        req.attr(Sessions.SESSION).destroy();
        res.send("out");
      };
  private static final Handler USER =
      (req, res) -> res.send("" + req.attr(Sessions.SESSION).get("user"));

  private final MemorySessions store = MemorySessions.of(100, Duration.ofHours(1));
  private final Sessions sessions = Sessions.of("s").store(store);
  private final Settings noOverlap = new Settings().set(Sessions.OVERLAP, Duration.ZERO);

  /** Sends a request, and another one while the first is in progress. */
  private Reply around(
      Settings settings, Sessions sessions, Call call, Handler inner, Handler own) {
    Handler slow =
        (req, res) -> {
          Thread.sleep(5);
          Reply ignored = Played.reply(settings, call, sessions, inner);
          own.handle(req, res);
        };
    return Played.reply(settings, call, sessions, slow);
  }

  @Test
  void aRequestThatFirstReadsItsSessionAfterTheLoginSetsNoCookie() {
    Reply first = Played.reply(Call.get("/"), sessions, VISIT);
    Reply[] login = new Reply[1];
    Handler slow =
        (req, res) -> {
          login[0] = Played.reply(with(first), sessions, LOGIN);
          VISIT.handle(req, res);
        };
    Reply late = Played.reply(with(first), sessions, slow);
    assertEquals("visited", late.text());
    assertNull(late.header("Set-Cookie"));
    assertEquals("ann", Played.reply(with(login[0]), sessions, USER).text());
    assertEquals(1, store.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestThatHasReadItsSessionBeforeTheLoginSetsNoCookie(boolean changesCookie) {
    Sessions rolling = sessions.rolling(true).cookie(c -> c.maxAge(60_000));
    Reply first = Played.reply(Call.get("/"), rolling, VISIT);
    Handler slow =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          assertEquals(true, session.get("visited"));
          Reply login = Played.reply(with(first), rolling, LOGIN);
          assertNotNull(login.header("Set-Cookie"));
          session.set("late", true);
          if (changesCookie) {
            session.cookie().maxAge(1_000_000);
          }
          res.send("late");
        };
    assertNull(Played.reply(with(first), rolling, slow).header("Set-Cookie"));
    assertEquals(1, store.size());
  }

  @Test
  void aRequestThatStoresEmptySessionsSetsNoCookie() {
    Sessions all = sessions.saveUninitialized(true).resave(true);
    Reply first = Played.reply(Call.get("/"), all, VISIT);
    Handler nothing = (req, res) -> res.send("nothing");
    Reply late = around(new Settings(), all, with(first), LOGIN, nothing);
    assertNull(late.header("Set-Cookie"));
    assertEquals(1, store.size());
  }

  @Test
  void aRequestThatArrivesShortlyAfterTheLoginWithTheOldIdSetsNoCookie() {
    Reply first = Played.reply(Call.get("/"), sessions, VISIT);
    Reply login = Played.reply(with(first), sessions, LOGIN);
    assertNull(Played.reply(with(first), sessions, VISIT).header("Set-Cookie"));
    assertEquals("null", Played.reply(with(first), sessions, USER).text());
    assertEquals("ann", Played.reply(with(login), sessions, USER).text());
  }

  @Test
  void theOverlapIsASetting() throws Exception {
    Reply first = Played.reply(noOverlap, Call.get("/"), sessions, VISIT);
    Reply late = around(noOverlap, sessions, with(first), LOGIN, VISIT);
    assertNull(late.header("Set-Cookie"));
    Thread.sleep(5);
    assertNotNull(Played.reply(noOverlap, with(first), sessions, VISIT).header("Set-Cookie"));
  }

  @Test
  void theArrivalTimeCountsForEveryPositionOfTheMiddleware() {
    Reply first = Played.reply(noOverlap, Call.get("/"), sessions, VISIT);
    Middleware slowBody =
        (req, res, next) -> {
          Thread.sleep(5);
          Reply ignored = Played.reply(noOverlap, with(first), sessions, LOGIN);
          next.run();
        };
    assertNull(
        Played.reply(noOverlap, with(first), slowBody, sessions, VISIT).header("Set-Cookie"));
  }

  @Test
  void aSecondLoginWithTheOldIdSetsItsCookie() {
    Reply first = Played.reply(Call.get("/"), sessions, VISIT);
    Reply ignored = Played.reply(with(first), sessions, LOGIN);
    Reply again = Played.reply(with(first), sessions, LOGIN);
    assertEquals("ann", Played.reply(with(again), sessions, USER).text());
  }

  @Test
  void aLogoutFollowedByALoginIsNotUndone() {
    Reply first = Played.reply(Call.get("/"), sessions, VISIT);
    Reply[] login = new Reply[1];
    Handler slow =
        (req, res) -> {
          Thread.sleep(5);
          Reply out = Played.reply(with(first), sessions, LOGOUT);
          assertEquals("out", out.text());
          login[0] = Played.reply(with(first), sessions, LOGIN);
          VISIT.handle(req, res);
        };
    assertNull(Played.reply(with(first), sessions, slow).header("Set-Cookie"));
    assertEquals("ann", Played.reply(with(login[0]), sessions, USER).text());
  }

  @Test
  void aRequestAfterALogoutBeginsANewSession() throws Exception {
    Reply first = Played.reply(Call.get("/"), sessions, VISIT);
    Reply late = around(new Settings(), sessions, with(first), LOGOUT, VISIT);
    assertNull(late.header("Set-Cookie"));
    assertEquals(0, store.size());
    Thread.sleep(5);
    assertNotNull(Played.reply(with(first), sessions, VISIT).header("Set-Cookie"));
  }

  @Test
  void aLogoutThatRegeneratesAnEmptySessionHasNoOverlap() throws Exception {
    Reply first = Played.reply(Call.get("/"), sessions, VISIT);
    Handler regenerate =
        (req, res) -> {
          assertTrue(req.attr(Sessions.SESSION).regenerate().isEmpty());
          res.send("out");
        };
    Reply late = around(new Settings(), sessions, with(first), regenerate, VISIT);
    assertNull(late.header("Set-Cookie"));
    Thread.sleep(5);
    assertNotNull(Played.reply(with(first), sessions, VISIT).header("Set-Cookie"));
  }

  @Test
  void aLoginWithAnExpiredIdIsNotLost() {
    Call expired = Call.get("/").header("Cookie", "sid=" + signed("expired"));
    assertNotNull(Played.reply(expired, sessions, VISIT).header("Set-Cookie"));
    assertNull(around(new Settings(), sessions, expired, LOGIN, VISIT).header("Set-Cookie"));
    Handler lookAndLogin =
        (req, res) -> {
          assertNull(req.attr(Sessions.SESSION).get("user"));
          LOGIN.handle(req, res);
        };
    Call other = Call.get("/").header("Cookie", "sid=" + signed("other"));
    assertNull(around(new Settings(), sessions, other, lookAndLogin, VISIT).header("Set-Cookie"));
  }

  @Test
  void aFailingStoreDoesNotRemoveTheCookie() {
    SessionStore silent =
        new ForwardingStore(store) {
          @Override
          public Instant endedAt(String id) throws IOException {
            throw new IOException("down");
          }
        };
    Reply first = Played.reply(Call.get("/"), sessions, VISIT);
    Reply rolled = Played.reply(with(first), sessions.store(silent).rolling(true), USER);
    assertEquals("200 null", rolled.status() + " " + rolled.text());
    assertNotNull(rolled.header("Set-Cookie"));
  }

  private static String signed(String id) {
    return Percent.encodeComponent("s:" + CookieSignature.sign("session", "sid", id, "s"));
  }
}
