package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Request;
import dev.percolate.framework.App;
import dev.percolate.middleware.Rooms;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.TestWebSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Code of the page on rooms. */
final class RoomsGuideTest {

  // #region message
  record Say(String text) {}

  // #endregion message

  private static String user(Request req) {
    return req.queryRequired("user", String.class);
  }

  @Test
  void aChatRoom() {
    // #region room
    App app = new App();
    Rooms<Say> rooms = Rooms.of(Say.class);
    app.get(
        "/rooms/:room",
        rooms.webSocket(
            req -> req.params().required("room", String.class),
            req -> user(req), // such as the name in the session
            (room, user, say) -> room.send(new Say(user + ": " + say.text()))));
    app.get("/rooms.js", Rooms.client());
    app.onClose(rooms);
    // #endregion room
    try (MemoryClient client = MemoryClient.of(app)) {
      assertEquals(200, Call.get("/rooms.js").to(app).status());
      TestWebSocket ann = client.webSocket("/rooms/tea?user=ann");
      assertEquals("{\"id\":0}", ann.text());
      assertEquals("{\"userId\":0}", ann.text());
      TestWebSocket ben = client.webSocket("/rooms/tea?user=ben");
      ben.send("{\"text\":\"hello\"}");
      String frame = ann.text();
      assertTrue(frame.endsWith(",\"data\":{\"text\":\"ben: hello\"}}"), frame);
      ben.disconnect();
    }
  }

  @Test
  void otherCalls() throws Exception {
    Rooms<Say> rooms = Rooms.of(Say.class);
    Say say = new Say("hello");
    List<String> log = new ArrayList<>();
    // #region calls
    rooms.room("tea").send(say); // to all members, on all servers
    rooms.room("tea").sendExcept("ben", say); // to all but one user
    rooms.sendTo("ann", say); // to one user, in all rooms and on all devices
    rooms.closeAll("ann", 1008); // for example after a logout
    int count = rooms.room("tea").count();
    List<String> members = rooms.room("tea").members();
    AutoCloseable changes =
        rooms
            .room("tea")
            .onChange((user, joined) -> log.add(user + (joined ? " joins" : " leaves")));
    // #endregion calls
    assertEquals(0, count);
    assertEquals(List.of(), members);
    changes.close();
    assertEquals(List.of(), log);
  }
}
