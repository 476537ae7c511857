package dev.percolate.middleware;

import static dev.percolate.middleware.Played.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.middleware.session.SessionValues;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SessionTypesTest {

  /** A logged-in user. */
  public record User(String name, int age, Instant since) {}

  private static final User ANN = new User("ann", 1, Instant.parse("2026-01-02T03:04:05Z"));
  private static final Handler PUT =
      (req, res) -> {
        Session session = req.attr(Sessions.SESSION);
        session.set("user", ANN);
        session.set("n", 3);
        res.send("" + ANN.equals(session.get("user", User.class)));
      };

  private final Sessions sessions = Sessions.of("s").store(MemorySessions.of());

  @Test
  void laterRequestsConvertValuesToTypes() {
    Reply first = Played.reply(Call.get("/"), sessions, PUT);
    assertEquals("true", first.text());
    Handler get =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          assertEquals(ANN, session.get("user", User.class));
          assertEquals("ann", ((Map<?, ?>) session.get("user")).get("name"));
          assertEquals(3L, session.get("n", Long.class));
          assertEquals(3, session.get("n", int.class));
          assertNull(session.get("other", User.class));
          assertEquals(
              "session.get(\"other\", int.class): no such value; "
                  + "use a class such as Integer if it may be absent",
              assertThrows(IllegalStateException.class, () -> session.get("other", int.class))
                  .getMessage());
          res.send("seen");
        };
    assertEquals("seen", Played.reply(with(first), sessions, get).text());
  }

  @Test
  void valuesAndNamesAreReadOnlyAndNullRemovesAValue() {
    Reply first = Played.reply(Call.get("/"), sessions, PUT);
    Handler change =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION).set("user", null).remove("other");
          assertThrows(UnsupportedOperationException.class, () -> session.values().clear());
          assertThrows(UnsupportedOperationException.class, () -> session.names().clear());
          res.send(session.values() + " " + session.names());
        };
    assertEquals("{n=3} [n]", Played.reply(with(first), sessions, change).text());
  }

  @Test
  void equalityIsIdentity() {
    Handler compare =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          Object values = session.values();
          assertNotEquals(session, values);
          assertNotEquals(values, session);
          Session fresh = session.regenerate();
          assertNotEquals(session, fresh);
          assertNotEquals(fresh, session);
          res.send("compared");
        };
    assertEquals("compared", Played.reply(Call.get("/"), sessions, compare).text());
  }

  @Test
  void valuesThatCannotBeConvertedAreErrors() {
    Reply first = Played.reply(Call.get("/"), sessions, PUT);
    Handler get =
        (req, res) -> {
          Session session = req.attr(Sessions.SESSION);
          String message =
              assertThrows(IllegalStateException.class, () -> session.get("user", Long.class))
                  .getMessage();
          res.send(message.substring(0, message.indexOf(':')));
        };
    assertEquals("session.get(\"user\", Long)", Played.reply(with(first), sessions, get).text());
  }

  @Test
  void flashMessagesAreShownOnce() {
    Handler flash = (req, res) -> res.send(req.attr(Sessions.SESSION).flash("saved").id());
    Handler show = (req, res) -> res.send(req.attr(Sessions.SESSION).flashes().toString());
    Reply first = Played.reply(Call.get("/"), sessions, flash);
    Played.reply(with(first), sessions, flash);
    assertEquals("[saved, saved]", Played.reply(with(first), sessions, show).text());
    assertEquals("[]", Played.reply(with(first), sessions, show).text());
  }

  @Test
  void setWarnsOfValuesThatLaterRequestsReadAsAnotherType() {
    SessionValues values = new SessionValues(SessionValues.NOTHING, new Settings());
    assertEquals(
        "session.set(\"user\", User): later requests read it as LinkedHashMap;"
            + " use get(\"user\", User.class)",
        values.loss("user", ANN));
    assertNotNull(values.loss("tags", List.of(Set.of(1))));
    assertNull(values.loss("name", "ann"));
    assertNull(values.loss("list", List.of(1, "a", Map.of("b", true))));
    Map<String, Object> endless = new HashMap<>();
    endless.put("self", endless);
    assertNull(values.loss("endless", endless));
  }
}
