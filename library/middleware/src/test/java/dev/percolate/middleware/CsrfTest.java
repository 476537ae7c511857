package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Settings;
import dev.percolate.core.TypeRef;
import dev.percolate.http.CookieOptions;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CsrfTest {

  private static final Handler TOKEN = (req, res) -> res.send(Csrf.token(req));
  private static final Handler PASSED = (req, res) -> res.send("passed");

  private final Map<String, Object> session = new LinkedHashMap<>();
  private final Middleware visitor =
      (req, res, next) -> {
        req.attr(CookieSession.SESSION, session);
        next.run();
      };

  @Test
  void aTokenOfThisSessionPassesAndThatOfAnotherDoesNot() {
    String token = Played.reply(Call.get("/"), visitor, Csrf.of(), TOKEN).text();
    assertTrue(token.matches("[A-Za-z0-9]{8}-[A-Za-z0-9_-]{27}"), token);
    assertEquals("200 passed", post(Csrf.of(), "X-CSRF-Token", token));
    session.put("csrfSecret", "another");
    assertEquals("403 invalid csrf token EBADCSRFTOKEN", post(Csrf.of(), "X-CSRF-Token", token));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "x", "a-b", "abcdefgh-", "-AAAA", "s\u00e9-x"})
  void malformedTokensDoNotPass(String token) {
    assertEquals("403 invalid csrf token EBADCSRFTOKEN", post(Csrf.of(), "csrf-token", token));
  }

  @Test
  void noSecretIsStoredBeforeATokenIsRequested() {
    Played.reply(Call.get("/"), visitor, Csrf.of(), PASSED);
    assertEquals("403 invalid csrf token EBADCSRFTOKEN", post(Csrf.of(), "csrf-token", "a-b"));
    assertEquals(Map.of(), session);
    Reply page = Played.reply(Call.get("/"), CookieParser.of("k"), Csrf.of().cookie(), PASSED);
    assertNull(page.header("Set-Cookie"));
  }

  @Test
  void theSecretHas18RandomBytesAndIsKept() {
    Played.reply(Call.get("/"), visitor, Csrf.of(), TOKEN);
    String secret = String.valueOf(session.get("csrfSecret"));
    assertTrue(secret.matches("[A-Za-z0-9_-]{24}"), secret);
    Played.reply(Call.get("/"), visitor, Csrf.of(), TOKEN);
    assertEquals(secret, session.get("csrfSecret"));
  }

  @Test
  void tokensDifferBetweenRequestsButNotWithinOne() {
    Handler twice = (req, res) -> res.send(Csrf.token(req) + " " + Csrf.token(req));
    String[] tokens = Played.reply(Call.get("/"), visitor, Csrf.of(), twice).text().split(" ", 2);
    assertEquals(tokens[0], tokens[1]);
    assertNotEquals(tokens[0], Played.reply(Call.get("/"), visitor, Csrf.of(), TOKEN).text());
  }

  @Test
  void aNewSessionGetsANewToken() {
    Handler login =
        (req, res) -> {
          String before = Csrf.token(req);
          req.attr(CookieSession.SESSION, new LinkedHashMap<>(Map.of("csrfSecret", "fresh")));
          assertNotEquals(before, Csrf.token(req));
          res.send("x");
        };
    assertEquals("200 x", Played.outcome(Call.get("/"), visitor, Csrf.of(), login));
  }

  @Test
  void theFirstTokenFoundIsUsed() {
    String token = Played.reply(Call.get("/"), visitor, Csrf.of(), TOKEN).text();
    Middleware wrongBody =
        (req, res, next) -> {
          RequestControl.body(req, Map.of("_csrf", "wrong"));
          next.run();
        };
    Call call = Call.post("/?_csrf=" + token).header("csrf-token", token);
    assertEquals("200 passed", Played.outcome(call, visitor, Csrf.of(), PASSED));
    assertEquals(403, Played.reply(call, visitor, wrongBody, Csrf.of(), PASSED).status());
  }

  @Test
  void aSignedCookieStoresTheSecret() {
    Middleware cookies = CookieParser.of("k");
    Csrf csrf = Csrf.of().cookie("x", c -> c.path("/a"));
    Reply first = Played.reply(Call.get("/"), cookies, csrf, TOKEN);
    String cookie = String.valueOf(first.header("Set-Cookie"));
    assertTrue(cookie.matches("x=s%3A[^;]+; Path=/a; HttpOnly; SameSite=Lax"), cookie);
    Call call =
        Call.post("/")
            .header("Cookie", cookie.substring(0, cookie.indexOf(';')))
            .header("xsrf-token", first.text());
    Reply second = Played.reply(call, cookies, csrf, PASSED);
    assertEquals("passed", second.text());
    assertEquals(null, second.header("Set-Cookie"));
    Call forged = Call.post("/").header("Cookie", "x=s%3Ax.y").header("xsrf-token", first.text());
    assertEquals(403, Played.reply(forged, cookies, csrf, PASSED).status());
  }

  @Test
  void missingMiddlewareIsReported() {
    assertEquals(
        "500 Csrf.of() found no session on this request."
            + " Add app.use(Sessions.of(secret)) before it, or call cookie().",
        Played.outcome(Call.get("/"), Csrf.of(), PASSED));
    String needs =
        "500 Csrf.of().cookie() found no secret on this request."
            + " Add app.use(CookieParser.of(secret)) before it.";
    Csrf csrf = Csrf.of().cookie();
    assertEquals(needs, Played.outcome(Call.get("/"), csrf, PASSED));
    assertEquals(needs, Played.outcome(Call.get("/"), CookieParser.of(), csrf, PASSED));
    Settings express = new Settings().set("cookie signature", "express");
    assertEquals(
        "Csrf.of().cookie() found no cookies on this request."
            + " Add app.use(CookieParser.of(secret)) before it.",
        Played.reply(express, Call.get("/"), csrf, PASSED).text());
    assertEquals(
        "passed", Played.reply(express, Call.get("/"), CookieParser.of(), csrf, PASSED).text());
  }

  @Test
  void anUnsignedOrForeignCookieDoesNotPass() {
    Middleware parser = CookieParser.of("k");
    Handler signed =
        (req, res) -> {
          Object ignored = res.cookie("_csrf", "sec", CookieOptions.none().signed(true));
          res.send("x");
        };
    Reply text = Played.reply(Call.get("/"), parser, signed);
    String token = "saltsalt-7CsJoicaWo-xAAXBSPXUXyt_Gdo"; // of "sec"
    Call plain = Call.post("/").header("Cookie", "_csrf=sec").header("csrf-token", token);
    Call moved = post(text, token);
    for (String form : new String[] {"bound", "both"}) {
      Settings settings = new Settings().set("cookie signature", form);
      assertEquals(403, status(settings, plain, parser, Csrf.of().cookie()));
      assertEquals(403, status(settings, moved, parser, Csrf.of().cookie()));
    }
    Settings express = new Settings().set("cookie signature", "express");
    assertEquals(200, status(express, plain, CookieParser.of(), Csrf.of().cookie()));
  }

  @Test
  @DisplayName("CK-09 the cookie and token of another visitor do not pass")
  void theCookieOfAnotherVisitorDoesNotPass() {
    Middleware[] steps = {CookieParser.of("k"), Sessions.of(), Csrf.of().cookie()};
    Handler login =
        (req, res) -> {
          req.attr(Sessions.SESSION).regenerate().set("user", "ann");
          res.send(Csrf.token(req));
        };
    Reply nobody = Played.reply(Call.get("/"), steps[0], steps[1], steps[2], TOKEN);
    Reply mallory = Played.reply(Call.get("/"), steps[0], steps[1], steps[2], login);
    Reply ann = Played.reply(Call.get("/"), steps[0], steps[1], steps[2], login);
    assertEquals(200, status(new Settings(), post(nobody, nobody.text()), steps));
    assertEquals(200, status(new Settings(), post(mallory, mallory.text()), steps));
    assertEquals(200, status(new Settings(), post(ann, ann.text()), steps));
    for (Reply tossed : new Reply[] {nobody, mallory}) {
      String cookies = cookie(ann, "sid") + "; " + cookie(tossed, "_csrf");
      Call call = Call.post("/").header("Cookie", cookies).header("csrf-token", tossed.text());
      assertEquals(403, status(new Settings(), call, steps));
    }
    assertEquals(403, status(new Settings(), post(ann, mallory.text()), steps));
  }

  @Test
  void aTokenIsValidForASessionThatBeginsAfterIt() {
    Middleware[] steps = {CookieParser.of("k"), Sessions.of(), Csrf.of().cookie()};
    Handler begin =
        (req, res) -> {
          String token = Csrf.token(req);
          req.attr(Sessions.SESSION).set("visits", 1);
          res.send(token);
        };
    Reply first = Played.reply(Call.get("/"), steps[0], steps[1], steps[2], begin);
    assertEquals(200, status(new Settings(), post(first, first.text()), steps));
  }

  @Test
  void anotherVisitorGetsAnotherSecret() {
    Middleware parser = CookieParser.of("k");
    Csrf csrf = Csrf.of().sessionIdentifier(req -> req.get("X-User")).cookie();
    Reply ann = Played.reply(Call.get("/").header("X-User", "ann"), parser, csrf, TOKEN);
    Call anns = post(ann, ann.text()).header("X-User", "ann");
    assertEquals(200, status(new Settings(), anns, parser, csrf));
    for (String user : new String[] {"bob", "", "anna"}) {
      Call others = post(ann, ann.text()).header("X-User", user);
      assertEquals(403, status(new Settings(), others, parser, csrf));
    }
    Reply bob = Played.reply(Played.with(ann).header("X-User", "bob"), parser, csrf, TOKEN);
    assertTrue(bob.header("Set-Cookie") != null);
  }

  @Test
  void aTokenRequestedAfterTheHeadersIsAnError() {
    Handler late =
        (req, res) -> {
          res.write("a");
          assertThrows(IllegalStateException.class, () -> Csrf.token(req));
          res.end("b");
        };
    assertEquals(
        "200 ab", Played.outcome(Call.get("/"), CookieParser.of("k"), Csrf.of().cookie(), late));
  }

  @Test
  void theSessionKeyAndMethodsAreConfigurable() {
    Key<Map<String, Object>> key = Key.of("own", new TypeRef<Map<String, Object>>() {});
    Middleware own =
        (req, res, next) -> {
          req.attr(key, session);
          next.run();
        };
    Csrf csrf = Csrf.of().sessionKey(key).ignoreMethods("delete");
    assertEquals("200 passed", Played.outcome(Call.delete("/"), own, csrf, PASSED));
    assertEquals(403, Played.reply(Call.get("/"), own, csrf, PASSED).status());
  }

  @Test
  void aWrongCookieNameIsRejected() {
    assertThrows(IllegalArgumentException.class, () -> Csrf.of().cookie("a b", c -> c));
  }

  private static int status(Settings settings, Call call, Middleware... steps) {
    Middleware[] all = Arrays.copyOf(steps, steps.length + 1);
    all[steps.length] = PASSED;
    return Played.reply(settings, call, all).status();
  }

  private static String cookie(Reply reply, String name) {
    for (String line : reply.all("Set-Cookie")) {
      if (line.startsWith(name + "=")) {
        return line.substring(0, line.indexOf(';'));
      }
    }
    throw new AssertionError(name + " is not set");
  }

  private static Call post(Reply page, String token) {
    Call call = Call.post("/").header("csrf-token", token);
    for (String line : page.all("Set-Cookie")) {
      call = call.header("Cookie", line.substring(0, line.indexOf(';')));
    }
    return call;
  }

  private String post(Csrf csrf, String header, String token) {
    return Played.outcome(Call.post("/").header(header, token), visitor, csrf, PASSED);
  }
}
