package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.middleware.MemorySessions;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.util.List;
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
  void oneVariableChoosesTheStore() throws Exception {
    assertEquals(MemorySessions.class, Stores.of(null).sessions().getClass());
    Stores database = Stores.of("jdbc:h2:mem:stores");
    assertEquals(null, database.sessions().load("unknown"));
    assertTrue(database.topics().publish("entries", "1", 1) > 0);
    database.open().close();
    Stores redis = Stores.of("redis://127.0.0.1:1");
    assertThrows(IOException.class, () -> redis.sessions().load("unknown"));
    redis.open().close();
  }

  @Test
  void severalServersNeedTheSameDatabaseAndSecret() {
    String database = "jdbc:postgresql://localhost/book";
    Environment one = Environment.of(Map.of("STORE_URL", database));
    assertEquals(database, one.jdbcUrl());
    assertEquals(List.of("COOKIE_SECRET"), one.unshared());
    Environment redis = Environment.of(Map.of("STORE_URL", "redis://localhost"));
    assertEquals(List.of("JDBC_URL", "COOKIE_SECRET"), redis.unshared());
    Map<String, String> all =
        Map.of("STORE_URL", database, "COOKIE_SECRET", "0123456789abcdef", "JDBC_URL", "jdbc:x");
    assertEquals("jdbc:x", Environment.of(all).jdbcUrl());
    assertEquals(List.of(), Environment.of(all).unshared());
    assertEquals(List.of(), Environment.of(Map.of()).unshared());
  }
}
