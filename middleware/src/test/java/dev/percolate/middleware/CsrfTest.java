package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.TypeRef;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
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
  void junkIsNoToken(String token) {
    assertEquals("403 invalid csrf token EBADCSRFTOKEN", post(Csrf.of(), "csrf-token", token));
  }

  @Test
  void theSecretHas18RandomBytesAndStays() {
    Played.reply(Call.get("/"), visitor, Csrf.of(), PASSED);
    String secret = String.valueOf(session.get("csrfSecret"));
    assertTrue(secret.matches("[A-Za-z0-9_-]{24}"), secret);
    Played.reply(Call.get("/"), visitor, Csrf.of(), TOKEN);
    assertEquals(secret, session.get("csrfSecret"));
  }

  @Test
  void tokensDifferFromRequestToRequestAndStayWithinOne() {
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
  void theFirstPlaceThatHoldsSomethingDecides() {
    String token = Played.reply(Call.get("/"), visitor, Csrf.of(), TOKEN).text();
    Middleware wrongBody =
        (req, res, next) -> {
          req.body(Map.of("_csrf", "wrong"));
          next.run();
        };
    Call call = Call.post("/?_csrf=" + token).header("csrf-token", token);
    assertEquals("200 passed", Played.outcome(call, visitor, Csrf.of(), PASSED));
    assertEquals(403, Played.reply(call, visitor, wrongBody, Csrf.of(), PASSED).status());
  }

  @Test
  void aSignedCookieKeepsTheSecret() {
    Middleware cookies = CookieParser.of("k");
    Csrf csrf = Csrf.of().cookie("x", c -> c.signed(true).httpOnly(true).path("/a"));
    Reply first = Played.reply(Call.get("/"), cookies, csrf, TOKEN);
    String cookie = String.valueOf(first.header("Set-Cookie"));
    assertTrue(cookie.matches("x=s%3A[^;]+; Path=/a; HttpOnly"), cookie);
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
  void withoutWhatKeepsTheSecretItIsMisconfigured() {
    assertEquals("500 misconfigured csrf", Played.outcome(Call.get("/"), Csrf.of(), PASSED));
    assertEquals(
        "500 misconfigured csrf", Played.outcome(Call.get("/"), Csrf.of().cookie(), PASSED));
  }

  @Test
  void theSessionMayStandElsewhereAndMethodsMayBeNamed() {
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
  void aWrongCookieNameIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Csrf.of().cookie("a b", c -> c));
  }

  private String post(Csrf csrf, String header, String token) {
    return Played.outcome(Call.post("/").header(header, token), visitor, csrf, PASSED);
  }
}
