package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.store.SessionStore;
import dev.percolate.http.CookieOptions;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Percent;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * If a browser sends several cookies with the same name, the first valid one is used, regardless of
 * their order: servers should not rely on the order (RFC 6265 section 4.2.2). Otherwise a cookie of
 * another path, or of a sibling host, could lock a visitor out.
 */
final class DuplicateCookiesTest {

  private static final Handler COUNT =
      (req, res) -> {
        Session session = req.attr(Sessions.SESSION);
        int n = session.get("n") instanceof Integer known ? known : 0;
        session.set("n", n + 1);
        res.send("" + (n + 1));
      };
  private static final Handler LOOK =
      (req, res) -> res.send("" + req.attr(Sessions.SESSION).get("n"));

  private final MemorySessions store = MemorySessions.of(100, Duration.ofHours(1));
  private final Sessions sessions = Sessions.of(List.of("s", "old")).store(store);

  private static String pair(Reply reply) {
    String line = String.valueOf(reply.header("Set-Cookie"));
    return line.substring(0, line.indexOf(';'));
  }

  private static Call cookies(String... pairs) {
    return Call.get("/").header("Cookie", String.join("; ", pairs));
  }

  private static String signed(String id, String secret) {
    return "sid="
        + Percent.encodeComponent("s:" + CookieSignature.sign("session", "sid", id, secret));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sid=bad", "sid=", "sid=s%3Abad.bad", "sid=s:a.b", "sid=%zz", "sid"})
  void anInvalidCookieIsSkipped(String invalid) {
    String valid = pair(Played.reply(Call.get("/"), sessions, COUNT));
    assertEquals("1", Played.reply(cookies(invalid, valid), sessions, LOOK).text());
    assertEquals("1", Played.reply(cookies(valid, invalid), sessions, LOOK).text());
    Call many = cookies(invalid, "other=1", invalid, valid, "sid=x");
    Reply counted = Played.reply(many, sessions, COUNT);
    assertEquals("2", counted.text());
    assertNull(counted.header("Set-Cookie"), "the browser has the cookie");
  }

  @Test
  void aSignedIdWithoutASessionIsSkipped() {
    String valid = pair(Played.reply(Call.get("/"), sessions, COUNT));
    for (String gone : List.of(signed("gone", "s"), signed("gone", "old"), signed("", "s"))) {
      assertEquals("1", Played.reply(cookies(gone, valid), sessions, LOOK).text());
    }
    assertEquals(1, store.size());
  }

  @Test
  void theFirstValidCookieIsUsed() {
    String one = pair(Played.reply(Call.get("/"), sessions, COUNT));
    Reply second = Played.reply(Call.get("/"), sessions, COUNT);
    assertEquals("2", Played.reply(with(second), sessions, COUNT).text());
    assertEquals("1", Played.reply(cookies(one, pair(second)), sessions, LOOK).text());
    assertEquals("2", Played.reply(cookies(pair(second), one), sessions, LOOK).text());
  }

  @Test
  void cookiesOfSeveralHeaderLinesAreCombined() {
    String valid = pair(Played.reply(Call.get("/"), sessions, COUNT));
    Call call = Call.get("/").header("Cookie", "sid=bad").header("Cookie", valid);
    assertEquals("1", Played.reply(call, sessions, LOOK).text());
  }

  @Test
  void withoutAValidCookieThereIsANewSession() {
    Reply reply = Played.reply(cookies("sid=bad", signed("gone", "s")), sessions, COUNT);
    assertEquals("1", reply.text());
    assertNotNull(reply.header("Set-Cookie"));
    assertEquals("2", Played.reply(cookies("sid=bad", pair(reply)), sessions, COUNT).text());
  }

  @Test
  void aLogoutEndsTheSessionInUse() {
    String valid = pair(Played.reply(Call.get("/"), sessions, COUNT));
    Handler logout =
        (req, res) -> {
          req.attr(Sessions.SESSION).destroy();
          res.send("out");
        };
    Reply ignored = Played.reply(cookies(signed("gone", "s"), valid), sessions, logout);
    assertEquals(0, store.size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLogoutEndsAllSessionsThatTheBrowserSent(boolean looks) {
    String one = pair(Played.reply(Call.get("/"), sessions, COUNT));
    String two = pair(Played.reply(Call.get("/"), sessions, COUNT));
    String other = pair(Played.reply(Call.get("/"), sessions, COUNT));
    Handler logout =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          String seen = looks ? "" + session.get("n") : "";
          session.destroy();
          res.send("out" + seen);
        };
    Reply ignored = Played.reply(cookies(one, two), sessions, logout);
    assertEquals("null", Played.reply(cookies(one, two), sessions, LOOK).text());
    assertEquals("1", Played.reply(cookies(other), sessions, LOOK).text());
    assertEquals(1, store.size());
  }

  @Test
  void aLoginEndsAllSessionsThatTheBrowserSent() {
    String one = pair(Played.reply(Call.get("/"), sessions, COUNT));
    String two = pair(Played.reply(Call.get("/"), sessions, COUNT));
    Handler login =
        (req, res) -> {
          req.attr(Sessions.SESSION).regenerate().set("n", 7);
          res.send("in");
        };
    String after = pair(Played.reply(cookies(one, two), sessions, login));
    assertEquals("7", Played.reply(cookies(two, after), sessions, LOOK).text());
    assertEquals(1, store.size());
  }

  @Test
  void aLoginIsFoundAfterTheCookieThatItReplaced() {
    String before = pair(Played.reply(Call.get("/"), sessions, COUNT));
    Handler login =
        (req, res) -> {
          req.attr(Sessions.SESSION).regenerate().set("n", 7);
          res.send("in");
        };
    String after = pair(Played.reply(cookies(before), sessions, login));
    assertEquals("7", Played.reply(cookies(before, after), sessions, LOOK).text());
  }

  @Test
  void onlyAFewCookiesAreLookedUpInTheStore() {
    AtomicInteger loads = new AtomicInteger();
    SessionStore counting =
        new ForwardingStore(store) {
          @Override
          public @Nullable Entry load(String id) throws IOException {
            loads.incrementAndGet();
            return super.load(id);
          }
        };
    String[] pairs = new String[150];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = signed("id" + i, "s");
    }
    assertEquals("null", Played.reply(cookies(pairs), sessions.store(counting), LOOK).text());
    assertEquals(8, loads.get());
    loads.set(0);
    String same = signed("same", "s");
    assertEquals(
        "null", Played.reply(cookies(same, same, same), sessions.store(counting), LOOK).text());
    assertEquals(1, loads.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCookieSessionIsFoundAfterOtherCookies(boolean encrypted) {
    String secret = "a secret of some length";
    CookieSession kept =
        encrypted ? CookieSession.encrypted(secret) : CookieSession.of(secret).key("session");
    Handler count =
        (req, res) ->
            res.send("" + req.attr(CookieSession.SESSION).merge("n", 1, (a, b) -> (int) a + 1));
    String valid = pair(Played.reply(Call.get("/"), kept, count));
    assertEquals("2", Played.reply(cookies("session=bad", valid), kept, count).text());
    assertEquals(
        "2", Played.reply(cookies("session=s%3Ax.y", "session=", valid), kept, count).text());
    assertEquals("2", Played.reply(cookies(valid, "session=bad"), kept, count).text());
    assertEquals("1", Played.reply(cookies("session=bad", "session=e1"), kept, count).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"c=plain", "c=s%3Awrong.signature", "c="})
  void aSignedCookieIsFoundAfterOthers(String other) {
    CookieParser parser = CookieParser.of("k");
    Handler set =
        (req, res) -> {
          Object ignored = res.cookie("c", "v", CookieOptions.none().signed(true));
          res.send("set");
        };
    String valid = pair(Played.reply(Call.get("/"), parser, set));
    Handler read = (req, res) -> res.send("" + req.attr(Request.SIGNED_COOKIES).get("c"));
    assertEquals("v", Played.reply(cookies(other, valid), parser, read).text());
    assertEquals("v", Played.reply(cookies(valid, other), parser, read).text());
    assertEquals("v", Played.reply(cookies("a=1", other, "b", valid), parser, read).text());
  }

  @Test
  void theCsrfSecretIsFoundAfterOtherCookies() {
    CookieParser parser = CookieParser.of("a secret of some length");
    Csrf csrf = Csrf.of().cookie();
    Handler token = (req, res) -> res.send(Csrf.token(req));
    Reply form = Played.reply(Call.get("/"), parser, csrf, token);
    Handler ok = (req, res) -> res.send("ok");
    Call post =
        Call.post("/")
            .header("Cookie", "_csrf=tossed; " + pair(form))
            .header("CSRF-Token", form.text());
    assertEquals("200 ok", Played.outcome(post, parser, csrf, ok));
  }
}
