package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests encrypted sessions in cookies, and that their end is protected. */
final class EncryptedSessionTest {

  private static final String SECRET = "a secret of 16 characters or more";
  private static final String NEXT = "another secret, for the next year";
  private static final Handler ADD =
      (req, res) -> {
        Map<String, Object> session = req.attr(CookieSession.SESSION);
        session.put("user", "bob");
        session.put("n", session.get("n") instanceof Integer n ? n + 1 : 1);
        res.send("" + session.get("n"));
      };
  private static final Handler SHOW =
      (req, res) -> res.send("" + req.attr(CookieSession.SESSION).get("n"));

  private final CookieSession sessions = CookieSession.encrypted(SECRET);

  private static String value(Reply reply) {
    String line = String.valueOf(reply.header("Set-Cookie"));
    return line.substring(line.indexOf('=') + 1, line.indexOf(';'));
  }

  private String shown(String cookie) {
    Call call = Call.get("/").header("Cookie", cookie);
    return Played.reply(call, sessions, SHOW).text();
  }

  @Test
  void aSessionIsRestoredAndUnreadable() {
    Reply first = Played.reply(Call.get("/"), sessions, ADD);
    assertEquals("2", Played.reply(with(first), sessions, ADD).text());
    String value = value(first);
    assertTrue(value.matches("[\\w-]+"), value);
    String bytes = new String(Base64.getUrlDecoder().decode(value), StandardCharsets.ISO_8859_1);
    assertFalse(bytes.contains("bob"), bytes);
    assertNotEquals(value, value(Played.reply(Call.get("/"), sessions, ADD)));
    assertNull(Played.reply(with(first), sessions, SHOW).header("Set-Cookie"));
  }

  @Test
  void modifiedMovedAndForeignCookiesAreRejected() {
    String value = value(Played.reply(Call.get("/"), sessions, ADD));
    assertEquals("1", shown("session=" + value));
    byte[] bytes = Base64.getUrlDecoder().decode(value);
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 1;
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
      assertEquals("null", shown("session=" + text));
    }
    for (String wrong : List.of("", "x", value.substring(0, 20), value + "AAAA", "%", "s:a.b")) {
      assertEquals("null", shown("session=" + wrong));
    }
    Call moved = Call.get("/").header("Cookie", "other=" + value);
    assertEquals("null", Played.reply(moved, sessions.key("other"), SHOW).text());
    CookieSession elsewhere = CookieSession.encrypted(NEXT);
    Call foreign = Call.get("/").header("Cookie", "session=" + value);
    assertEquals("null", Played.reply(foreign, elsewhere, SHOW).text());
  }

  @Test
  void aSecretIsReplacedWithoutEndingSessions() {
    Reply old = Played.reply(Call.get("/"), sessions, ADD);
    CookieSession both = CookieSession.encrypted(List.of(NEXT, SECRET));
    Reply renewed = Played.reply(with(old), both, ADD);
    assertEquals("2", renewed.text());
    assertEquals("2", Played.reply(with(renewed), CookieSession.encrypted(NEXT), SHOW).text());
    assertEquals("null", Played.reply(with(renewed), sessions, SHOW).text());
  }

  @Test
  void anOldCookieIsInvalidAfterItsEnd() {
    for (CookieSession one : List.of(sessions, CookieSession.of("s"))) {
      AtomicLong passed = new AtomicLong();
      CookieSession timed = one.clock(() -> System.currentTimeMillis() + passed.get());
      CookieSession brief = timed.cookie(c -> c.maxAge(300_000));
      Reply first = Played.reply(Call.get("/"), brief, ADD);
      assertEquals("1", Played.reply(with(first), brief, SHOW).text());
      passed.addAndGet(400_000);
      assertEquals("null", Played.reply(with(first), brief, SHOW).text());
      CookieSession withoutAge = timed.idleTimeout(Duration.ofSeconds(1000));
      Reply second = Played.reply(Call.get("/"), withoutAge, ADD);
      assertFalse(String.valueOf(second.header("Set-Cookie")).contains("Expires"));
      passed.addAndGet(200_000);
      Reply again = Played.reply(with(second), withoutAge, SHOW);
      assertEquals("1", again.text());
      assertTrue(again.header("Set-Cookie") != null, "the cookie is renewed");
      passed.addAndGet(900_000);
      assertEquals("null", Played.reply(with(second), withoutAge, SHOW).text());
      assertEquals("1", Played.reply(with(again), withoutAge, SHOW).text());
    }
  }

  @Test
  void invalidOptionsAreRejectedWithoutShowingSecrets() {
    assertEquals(
        "CookieSession.encrypted: each secret must have at least 16 characters",
        Played.rejection(() -> CookieSession.encrypted("too short")));
    assertEquals(
        "CookieSession.encrypted needs at least one secret",
        Played.rejection(() -> CookieSession.encrypted(List.of())));
    assertEquals(
        "idleTimeout must be at least PT1S, was PT0.05S",
        Played.rejection(() -> sessions.idleTimeout(Duration.ofMillis(50))));
  }
}
