package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Settings;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Percent;
import dev.percolate.middleware.session.SessionValues;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the defaults, settings and options of sessions and their cookies. */
final class SessionSettingsTest {

  private static final Handler PUT =
      (req, res) -> {
        Played.put(req, "n", 1);
        res.send("x");
      };
  private static final Handler SHOW = (req, res) -> res.send("" + Played.get(req, "n"));
  private static final Handler NOTHING = (req, res) -> res.send("x");

  private final MemorySessions store = MemorySessions.of(100, Duration.ofHours(1));
  private final Sessions sessions = Sessions.of("s").store(store);
  private final CookieSession cookies = CookieSession.of("s");
  private final Settings settings = new Settings();

  private static String line(Reply reply) {
    return String.valueOf(reply.header("Set-Cookie"));
  }

  @Test
  void defaultCookiesAreHttpOnlyAndSameSiteLax() {
    String sid = line(Played.reply(Call.get("/"), sessions, PUT));
    assertTrue(sid.matches("sid=s%3A[^;]+; Path=/; HttpOnly; SameSite=Lax"), sid);
    String session = line(Played.reply(Call.get("/"), cookies, PUT));
    assertTrue(session.matches("session=s%3A[^;]+; Path=/; HttpOnly; SameSite=Lax"), session);
  }

  @Test
  void settingsRestoreTheNamesAndAttributesOfExpress() {
    settings.set("session name", "connect.sid").set("cookie session name", "connect.sess");
    settings.set("session same site", false).set("cookie signature", "express");
    String sid = line(Played.reply(settings, Call.get("/"), sessions.genid(req -> "a"), PUT));
    String signed = Percent.encodeComponent("s:" + CookieSignature.sign("a", "s"));
    assertEquals("connect.sid=" + signed + "; Path=/; HttpOnly", sid);
    Reply first = Played.reply(settings, Call.get("/"), cookies, PUT);
    String text = Percent.encodeComponent("s:" + CookieSignature.sign("j:{\"n\":1}", "s"));
    assertEquals("connect.sess=" + text + "; Path=/; HttpOnly", line(first));
    assertEquals("1", Played.reply(settings, with(first), cookies, SHOW).text());
  }

  @Test
  void aCookieThatBrowsersIgnoreIsAWarning() {
    String start = "has a cookie that browsers ignore, since ";
    String site = start + "SameSite=None needs secure(true).";
    Sessions own = Sessions.of("a secret of some length").cookie(c -> c.sameSite("none"));
    assertEquals(site, own.traits().warning());
    assertNull(own.cookie(c -> c.secure(true)).traits().warning());
    CookieSession kept = CookieSession.of("a secret of some length").cookie(c -> c.secure(true));
    assertNull(kept.cookie(c -> c.sameSite("none")).traits().warning());
    assertEquals(site, kept.cookie(c -> c.sameSite("none").secure(false)).traits().warning());
    CookieSession ofHost = kept.key("__Host-s");
    assertNull(ofHost.traits().warning());
    String host = start + "the prefix __Host- needs secure(true), the path / and no domain.";
    assertEquals(host, ofHost.cookie(c -> c.path("/a")).traits().warning());
    assertEquals(host, ofHost.cookie(c -> c.domain("example.com")).traits().warning());
    assertEquals(host, ofHost.cookie(c -> c.secure(false)).traits().warning());
    Sessions secure = Sessions.of("a secret of some length").name("__Secure-s");
    assertEquals(start + "the prefix __Secure- needs secure(true).", secure.traits().warning());
    assertNull(secure.cookie(c -> c.secure(true).path("/a")).traits().warning());
  }

  @Test
  void optionsOverrideSettings() {
    settings.set("session name", "a").set("cookie session name", "b");
    settings.set(Sessions.SAME_SITE, "strict");
    settings.set(Sessions.RESAVE, true).set(Sessions.SAVE_UNINITIALIZED, true);
    Sessions own =
        sessions.name("c").cookie(c -> c.sameSite("none")).saveUninitialized(false).resave(false);
    assertNull(Played.reply(settings, Call.get("/"), own, NOTHING).header("Set-Cookie"));
    String sid = line(Played.reply(settings, Call.get("/"), own, PUT));
    assertTrue(sid.matches("c=[^;]+; Path=/; HttpOnly; SameSite=None"), sid);
    String bare =
        line(
            Played.reply(
                settings, Call.get("/"), cookies.key("d").cookie(c -> c.sameSite(null)), PUT));
    assertTrue(bare.matches("d=[^;]+; Path=/; HttpOnly"), bare);
    String strict = line(Played.reply(settings, Call.get("/"), sessions, NOTHING));
    assertTrue(strict.matches("a=[^;]+; Path=/; HttpOnly; SameSite=Strict"), strict);
  }

  @Test
  void anUnknownSameSiteIsRejected() {
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> settings.set("session same site", "maybe"))
            .getMessage();
    assertEquals(
        "set(\"session same site\", \"maybe\"): must be one of lax, strict, none, false", message);
  }

  @Test
  void anEmptyCookieSessionIsSentOnlyIfConfigured() {
    assertNull(Played.reply(Call.get("/"), cookies, NOTHING).header("Set-Cookie"));
    Reply first = Played.reply(Call.get("/"), cookies, PUT);
    Handler empty =
        (req, res) -> {
          req.attr(CookieSession.SESSION).clear();
          res.send("x");
        };
    assertTrue(Played.reply(with(first), cookies, empty).header("Set-Cookie") != null);
    settings.set("session save uninitialized", true);
    assertTrue(
        Played.reply(settings, Call.get("/"), cookies, NOTHING).header("Set-Cookie") != null);
  }

  @ParameterizedTest(name = "CK-08 a signed cookie named {0} is not a session")
  @ValueSource(strings = {"sid", "session"})
  void aSignedCookieIsNotASession(String name) {
    store.create("text", new SessionStore.SessionData("{\"n\":\"stolen\"}", null, null));
    Handler set =
        (req, res) -> {
          String text = name.equals("sid") ? "text" : "j:{\"n\":\"stolen\"}";
          Object ignored =
              res.cookie(name, text, CookieOptions.none().signed(true))
                  .cookie("moved", text, CookieOptions.none().signed(true));
          res.send("x");
        };
    CookieParser parser = CookieParser.of("s");
    for (String form : new String[] {"bound", "both"}) {
      settings.set("cookie signature", form);
      Reply reply = Played.reply(settings, Call.get("/"), parser, set);
      for (String line : reply.all("Set-Cookie")) {
        String value = line.substring(line.indexOf('='), line.indexOf(';'));
        Call call = Call.get("/").header("Cookie", name + value);
        for (Sessions kind : new Sessions[] {sessions, Sessions.of().store(store)}) {
          assertEquals("null", Played.reply(settings, call, parser, kind, SHOW).text());
        }
        for (CookieSession kind : new CookieSession[] {cookies, CookieSession.of()}) {
          assertEquals("null", Played.reply(settings, call, parser, kind, SHOW).text());
        }
      }
    }
  }

  @Test
  @DisplayName("CK-08 a session cookie is neither a signed cookie nor a session under another name")
  void aSessionCookieIsNotASignedCookie() {
    CookieParser parser = CookieParser.of("s");
    Reply sid = Played.reply(Call.get("/"), parser, Sessions.of().store(store), PUT);
    Reply text = Played.reply(Call.get("/"), parser, CookieSession.of(), PUT);
    Handler signed = (req, res) -> res.send("" + req.attr(Request.SIGNED_COOKIES));
    assertEquals("{sid=false}", Played.reply(with(sid), parser, signed).text());
    assertEquals("{session=false}", Played.reply(with(text), parser, signed).text());
    Call moved = Call.get("/").header("Cookie", line(sid).replace("sid=", "other="));
    assertEquals("null", Played.reply(moved, sessions.name("other"), SHOW).text());
    assertEquals("1", Played.reply(with(sid), parser, Sessions.of().store(store), SHOW).text());
    assertEquals("1", Played.reply(with(text), parser, CookieSession.of(), SHOW).text());
  }

  @ParameterizedTest
  @CsvSource({
    "express, express, 1",
    "express, both, 1",
    "express, bound, null",
    "bound, bound, 1",
    "bound, both, 1",
    "both, bound, 1",
    "bound, express, null"
  })
  void sessionsAreReadInTheConfiguredSignatureForm(String maker, String reader, String n) {
    for (boolean inStore : new boolean[] {false, true}) {
      settings.set("cookie signature", maker);
      Reply made =
          inStore
              ? Played.reply(settings, Call.get("/"), sessions, PUT)
              : Played.reply(settings, Call.get("/"), cookies, PUT);
      settings.set("cookie signature", reader);
      Reply read =
          inStore
              ? Played.reply(settings, with(made), sessions, SHOW)
              : Played.reply(settings, with(made), cookies, SHOW);
      assertEquals(n, read.text());
    }
  }

  @Test
  void aSecretCanBeReplacedWithoutEndingSessions() {
    Reply old = Played.reply(Call.get("/"), Sessions.of("old").store(store), PUT);
    Sessions both = Sessions.of(List.of("new", "old")).store(store);
    assertEquals("1", Played.reply(with(old), both, SHOW).text());
    Reply fresh = Played.reply(Call.get("/"), both, PUT);
    assertEquals("1", Played.reply(with(fresh), Sessions.of("new").store(store), SHOW).text());
    assertEquals("null", Played.reply(with(old), Sessions.of("new").store(store), SHOW).text());
  }

  @Test
  void aChangeToTheCookieOfASessionIsStored() {
    Handler change =
        (req, res) -> {
          SessionCookie cookie = req.attr(Sessions.SESSION).cookie();
          cookie.path("/in").domain("x.test").httpOnly(false).sameSite("strict");
          assertEquals("Strict", cookie.sameSite());
          res.send("x");
        };
    Reply first = Played.reply(Call.get("/"), sessions, PUT);
    String changed = line(Played.reply(with(first), sessions, change));
    assertTrue(changed.matches("sid=[^;]+; Domain=x.test; Path=/in; SameSite=Strict"), changed);
    assertNull(Played.reply(with(first), sessions, change).header("Set-Cookie"));
    assertNull(Played.reply(with(first), sessions, SHOW).header("Set-Cookie"));
    String later = line(Played.reply(with(first), sessions.rolling(true), SHOW));
    assertEquals(changed, later);
    Handler shown = (req, res) -> res.send("" + req.attr(Sessions.SESSION).cookie().toMap());
    assertEquals(
        "{originalMaxAge=null, expires=null, httpOnly=false, domain=x.test, path=/in,"
            + " sameSite=Strict}",
        Played.reply(with(first), sessions, shown).text());
  }

  @Test
  void aChangedCookieIsSentIfTheSessionWasSavedEarly() {
    Reply first = Played.reply(Call.get("/"), sessions, PUT);
    Handler remember =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          SessionCookie cookie = session.cookie().maxAge(60_000);
          Session ignored = session.save();
          res.send("" + cookie.originalMaxAge());
        };
    assertTrue(line(Played.reply(with(first), sessions, remember)).contains("; Expires="));
    assertNull(Played.reply(with(first), sessions, remember).header("Set-Cookie"));
    Handler early =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          session.set("n", 2);
          Session ignored = session.save();
          res.send("x");
        };
    assertTrue(line(Played.reply(with(first), sessions, early)).contains("; Expires="));
  }

  @Test
  void aSecureSessionStaysSecure() {
    Handler secure =
        (req, res) -> {
          SessionCookie ignored = req.attr(Sessions.SESSION).cookie().secure(true);
          res.send("x");
        };
    Reply first = Played.reply(Call.get("/"), sessions, PUT);
    assertNull(Played.reply(with(first), sessions, secure).header("Set-Cookie"));
    Call tls = with(first).header("X-Forwarded-Proto", "https");
    Sessions rolling = sessions.rolling(true);
    assertNull(Played.reply(with(first), rolling, SHOW).header("Set-Cookie"));
    String line = line(Played.reply(tls, rolling.proxy(true), SHOW));
    assertTrue(line.endsWith("; HttpOnly; Secure; SameSite=Lax"), line);
  }

  @Test
  void aChangeToTheCookieOfACookieSessionAppliesToOneResponse() {
    Reply first = Played.reply(Call.get("/"), cookies, PUT);
    Handler change =
        (req, res) -> {
          SessionCookie cookie = CookieSession.cookie(req);
          assertEquals("/", cookie.path());
          assertNull(cookie.maxAge());
          cookie.path("/in").maxAge(60_000).httpOnly(false);
          res.send("x");
        };
    String changed = line(Played.reply(with(first), cookies, change));
    assertTrue(changed.matches("session=[^;]+; Path=/in; Expires=[^;]+; SameSite=Lax"), changed);
    assertNull(Played.reply(with(first), cookies, SHOW).header("Set-Cookie"));
    Handler secure =
        (req, res) -> {
          SessionCookie ignored = CookieSession.cookie(req).secure(true);
          req.attr(CookieSession.SESSION).put("n", 2);
          res.send("x");
        };
    assertNull(Played.reply(with(first), cookies, secure).header("Set-Cookie"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/; Secure", "/\r\nX: y"})
  void invalidAttributesAreRejectedWhenTheyAreSet(String text) {
    SessionCookie cookie = new SessionCookie(CookieOptions.none());
    assertThrows(IllegalArgumentException.class, () -> cookie.path(text));
    assertThrows(IllegalArgumentException.class, () -> cookie.domain(text));
    assertThrows(IllegalArgumentException.class, () -> cookie.sameSite(text));
    assertEquals("/", cookie.path());
    assertEquals(false, cookie.isChanged());
    assertEquals(Map.of(), new SessionValues("{}", new Settings()).seen());
  }
}
