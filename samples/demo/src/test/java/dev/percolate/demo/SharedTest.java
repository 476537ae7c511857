package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests sessions, and the settings for several servers that share them. */
final class SharedTest {

  @Test
  void theNameIsRememberedForTheNextEntry() throws Exception {
    try (OpenBook book = new OpenBook()) {
      Reply written = book.visitor().write("Ännchen \"A\"", "hello");
      assertEquals(303, written.status());
      String cookie = String.valueOf(written.header("Set-Cookie"));
      assertTrue(cookie.startsWith("sid="), cookie);
      String page =
          Call.get("/")
              .header("Cookie", cookie.substring(0, cookie.indexOf(';')))
              .to(book.app())
              .text();
      assertTrue(page.contains("value=\"Ännchen &quot;A&quot;\""), page);
    }
  }

  @Test
  void writingIsLimitedAndReadingIsNot() throws Exception {
    try (OpenBook book = new OpenBook()) {
      Reply api = Call.post("/api/entries").json(Map.of()).to(book.app());
      assertEquals("60", api.header("RateLimit-Limit"));
      assertEquals("60", book.visitor().write("a", "b").header("RateLimit-Limit"));
      assertEquals(null, book.get("/api/entries").header("RateLimit-Limit"));
    }
  }

  @Test
  void sharingNeedsTheSameDatabaseAndSecret() {
    Map<String, String> shared =
        Map.of("REDIS_URL", "redis://localhost", "JDBC_URL", "jdbc:h2:mem:x");
    Exception rejected = assertThrows(IllegalArgumentException.class, () -> Environment.of(shared));
    assertEquals(
        "REDIS_URL requires COOKIE_SECRET, with the same value on all servers",
        rejected.getMessage());
  }
}
