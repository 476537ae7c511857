package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the response and log for JSON that is read into a faulty class. */
final class FaultyTypesTest {

  private static final Logger LOG = Logger.getLogger("dev.percolate");

  private final List<LogRecord> logged = new ArrayList<>();
  private final Filter before = LOG.getFilter();

  @BeforeEach
  void listen() {
    System.setProperty("percolate.env", "production");
    LOG.setFilter(
        line -> {
          logged.add(line);
          return false;
        });
  }

  @AfterEach
  void leave() {
    LOG.setFilter(before);
    System.clearProperty("percolate.env");
  }

  /** A class whose constructor parameters have no names, as in a Kotlin data class. */
  static final class Coordinates {
    final int sum;

    Coordinates(int x, int y) {
      sum = x + y;
    }
  }

  record Article(String name) {
    Article {
      if (name.equals("tea")) {
        throw new IllegalStateException("db is down");
      } else if (name.equals("salt")) {
        throw new HttpError(410, "sold out");
      }
    }
  }

  @Test
  void classesThatJacksonCannotCreateAre500AndLogged() {
    assertEquals("500 Internal Server Error\n", outcome(Coordinates.class, "{\"x\":1,\"y\":2}"));
    String message = String.valueOf(logged.get(0).getThrown().getMessage());
    assertTrue(message.startsWith("JSON: " + Coordinates.class.getName() + " cannot be read: "));
    assertEquals(1, logged.size());
  }

  @Test
  void failingConstructorsAre500AndLoggedWithTheCause() {
    assertEquals("500 Internal Server Error\n", outcome(Article.class, "{\"name\":\"tea\"}"));
    Throwable thrown = logged.get(0).getThrown();
    assertTrue(String.valueOf(thrown.getMessage()).endsWith("IllegalStateException: db is down"));
    assertEquals("db is down", String.valueOf(thrown.getCause().getMessage()));
    assertEquals(1, logged.size());
  }

  @Test
  void httpErrorsOfConstructorsSetTheResponse() {
    assertEquals("410 Gone\n", outcome(Article.class, "{\"name\":\"salt\"}"));
    assertEquals(List.of(), logged);
  }

  private static String outcome(Class<?> type, String json) {
    App app = new App();
    app.post("/", BodyParsers.json(), (req, res) -> res.json(req.body(type)));
    Reply reply = Call.post("/").header("Content-Type", "application/json").body(json).to(app);
    return reply.status() + " " + reply.text();
  }
}
