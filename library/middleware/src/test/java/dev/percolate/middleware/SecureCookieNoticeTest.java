package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the warning for secure cookies that are not sent over plain HTTP. */
final class SecureCookieNoticeTest {

  private static final Handler PUT =
      (req, res) -> {
        Played.put(req, "n", 1);
        res.send("x");
      };

  @Test
  void sessionsLogTheWarningOnceForAllCopies() {
    Sessions secure = Sessions.of("s").cookie(c -> c.secure(true));
    try (LogLines log = new LogLines()) {
      for (Sessions one : List.of(secure, secure, secure.name("other"))) {
        assertNull(Played.reply(Call.get("/"), one, PUT).header("Set-Cookie"));
      }
      List<String> lines = log.lines().stream().filter(line -> line.contains("secure")).toList();
      assertEquals(1, lines.size(), lines::toString);
      String line = lines.get(0);
      assertTrue(line.startsWith("WARNING Sessions: the cookie \"sid\" is secure, but "), line);
      assertTrue(line.contains("app.set(\"trust proxy\", "), line);
    }
  }

  @Test
  void aCookieSessionLogsTheWarning() {
    CookieSession secure = CookieSession.of("a secret").cookie(c -> c.secure(true));
    try (LogLines log = new LogLines()) {
      assertNull(Played.reply(Call.get("/"), secure, PUT).header("Set-Cookie"));
      List<String> lines = log.lines().stream().filter(line -> line.contains("secure")).toList();
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.get(0).contains("CookieSession: the cookie \"session\" is secure"));
      assertTrue(lines.get(0).contains(".proxy(true)"));
    }
  }

  @Test
  void noWarningIfTheCookieIsSentOrNotSet() {
    Sessions secure = Sessions.of("s").cookie(c -> c.secure(true));
    Settings trusting = new Settings().set("trust proxy", true);
    Handler nothing = (req, res) -> res.send("x");
    try (LogLines log = new LogLines()) {
      Call tls = Call.get("/").header("X-Forwarded-Proto", "https");
      assertTrue(Played.reply(trusting, tls, secure, PUT).header("Set-Cookie") != null);
      Reply ignored = Played.reply(Call.get("/"), secure, nothing);
      assertTrue(log.lines().stream().noneMatch(line -> line.contains("plain HTTP")));
    }
  }

  @Test
  void theWarningNamesAnUntrustedForwardedHeader() {
    Sessions secure = Sessions.of("s").cookie(c -> c.secure(true));
    List<String> lines;
    try (LogLines log = new LogLines()) {
      Call tls = Call.get("/").header("X-Forwarded-Proto", "https");
      Reply ignored = Played.reply(tls, secure, PUT);
      lines = log.lines().stream().filter(line -> line.contains("secure")).toList();
    }
    assertEquals(
        "WARNING Sessions: the cookie \"sid\" is secure, but the request came over plain HTTP."
            + " The cookie was not sent, and the session is lost. A proxy sent X-Forwarded-Proto:"
            + " https, which is not trusted or not https. To trust it, call app.set(\"trust"
            + " proxy\", ADDRESS_OF_THE_PROXY). For plain HTTP in development, set"
            + " .cookie(c -> c.secure(false)).",
        lines.get(0));
  }
}
