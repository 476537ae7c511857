package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.http.CookieSignature;
import dev.percolate.http.Percent;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CookieSessionTest {

  private static final CookieSession SESSION = CookieSession.of("s");
  private static final Handler COUNT =
      (req, res) -> {
        Object n = req.attr(CookieSession.SESSION).merge("n", 1, (a, b) -> (int) a + 1);
        res.send("" + n);
      };
  private static final Handler SHOW = (req, res) -> res.send("" + req.attr(CookieSession.SESSION));

  @Test
  void theCookieHoldsTheSession() {
    Reply first = Played.reply(Call.get("/"), SESSION, COUNT);
    assertEquals("{n=1}", Played.reply(with(first), SESSION, SHOW).text());
    Reply second = Played.reply(with(first), SESSION, COUNT);
    assertEquals("2", second.text());
    assertEquals("{n=2}", Played.reply(with(second), SESSION, SHOW).text());
  }

  @Test
  void aCookieThatIsTooLongForBrowsersIsExplainedOnce() {
    CookieSession session = CookieSession.of("a secret of some length");
    try (LogLines log = new LogLines()) {
      for (int length : new int[] {600, 700, 800}) { // a quote has six characters when encoded
        Handler fill =
            (req, res) -> {
              Played.put(req, "text", "\"".repeat(length));
              res.send("x");
            };
        assertEquals("x", Played.reply(Call.get("/"), session, fill).text());
      }
      List<String> lines = log.lines().stream().filter(line -> line.contains("too long")).toList();
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.get(0).contains("browsers ignore the cookie \"session\""), lines::toString);
    }
  }

  @Test
  void theSessionIsReadAfterACookieParserWithASecret() {
    Reply first = Played.reply(Call.get("/"), SESSION, COUNT);
    assertEquals(
        "{n=1}", Played.reply(with(first), CookieParser.of("other"), SESSION, SHOW).text());
  }

  /** RFC 6265 section 5.1.4. */
  @ParameterizedTest
  @CsvSource({
    "/in,/in,true",
    "/in,/in/,true",
    "/in,/in/x,true",
    "/in,/inner,false",
    "/in,/In,false",
    "/in/,/in,false",
    "/in/,/in/x,true",
    "/,/x,true"
  })
  void thePathOfTheCookieEndsWithAPartOfTheRequestedPath(
      String path, String requested, boolean kept) {
    CookieSession session = SESSION.cookie(c -> c.path(path));
    Reply reply = Played.reply(Call.get(requested), session, COUNT);
    assertEquals(kept, reply.header("Set-Cookie") != null);
  }

  @Test
  void anUnchangedSessionIsNotSentAgain() {
    Reply first = Played.reply(Call.get("/"), SESSION, COUNT);
    assertNull(Played.reply(with(first), SESSION, SHOW).header("Set-Cookie"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"j:[1]", "j:{", "j:null", "j:5", "{}", ""})
  void aSignedValueThatIsNotAMapIsAnEmptySession(String text) {
    String signed = CookieSignature.sign("cookie session", "session", text, "s");
    Call call = Call.get("/").header("Cookie", "session=" + Percent.encodeComponent("s:" + signed));
    assertEquals("{}", Played.reply(call, SESSION, SHOW).text());
  }

  @Test
  void aRemovedSessionClearsTheCookieEvenIfNoneWasSent() {
    Handler remove =
        (req, res) -> {
          req.attr(CookieSession.SESSION, null);
          res.send("x");
        };
    Reply reply = Played.reply(Call.get("/"), SESSION.key("k").cookie(c -> c.maxAge(1000)), remove);
    assertEquals(
        "k=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
        reply.header("Set-Cookie"));
  }

  @Test
  void outsideItsPathTheSessionIsEmptyAndNotKept() {
    CookieSession inner = SESSION.cookie(c -> c.path("/in"));
    assertNull(Played.reply(Call.get("/out?/in"), inner, COUNT).header("Set-Cookie"));
    assertTrue(Played.reply(Call.get("/in/ner"), inner, COUNT).header("Set-Cookie") != null);
  }

  @Test
  void theCookiePathIsComparedWithTheNormalizedPath() {
    CookieSession inner = SESSION.cookie(c -> c.path("/in"));
    for (String path : new String[] {"//in/x", "/%69n", "/out/../in", "http://h/./in"}) {
      assertTrue(Played.reply(Call.get(path), inner, COUNT).header("Set-Cookie") != null, path);
    }
    assertNull(Played.reply(Call.get("/in/../out"), inner, COUNT).header("Set-Cookie"));
  }

  @Test
  void maxAgeIsSentAsExpires() {
    String cookie =
        String.valueOf(
            Played.reply(Call.get("/"), SESSION.cookie(c -> c.maxAge(5000)), COUNT)
                .header("Set-Cookie"));
    assertTrue(
        cookie.matches("session=[^;]+; Path=/; Expires=[^;]+ GMT; HttpOnly; SameSite=Lax"), cookie);
  }

  @Test
  void withoutASecretThereIsAnError() {
    assertEquals(
        "500 CookieSession.of() found no secret on this request."
            + " Add app.use(CookieParser.of(secret)) before it.",
        Played.outcome(Call.get("/"), CookieSession.of(), SHOW));
    assertThrows(IllegalArgumentException.class, () -> CookieSession.of(""));
  }
}
