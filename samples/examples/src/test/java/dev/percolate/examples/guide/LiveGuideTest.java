package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.Events;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSocketGroup;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Code of the page on live connections. */
final class LiveGuideTest {

  @Test
  void aWebSocketIsAHandler() {
    // #region websocket
    App app = new App();
    Middleware members =
        (req, res, next) -> {
          if (req.query("name", String.class) == null) {
            throw new HttpError(401, "name is missing"); // an ordinary response, and a log line
          }
          next.run();
        };
    WebSocketGroup room = new WebSocketGroup();
    app.get(
        "/rooms/:room",
        members,
        WebSockets.of(
                socket -> {
                  room.join(socket);
                  String name = socket.req().queryRequired("name", String.class);
                  for (String text : socket.texts()) { // blocks; ends with the connection
                    room.send(name + ": " + text); // waits for slow clients, at most 2 s
                  }
                })
            .maxMessageSize("16kb"));
    // #endregion websocket
    try (MemoryClient client = MemoryClient.of(app)) {
      assertEquals(401, client.webSocket("/rooms/tea").head().status());
      TestWebSocket ann = client.webSocket("/rooms/tea?name=Ann");
      ann.send("hello");
      assertEquals("Ann: hello", ann.text());
    }
  }

  @Test
  void callbacksNeedNoThread() {
    // #region callbacks
    App app = new App();
    app.get("/echo", WebSockets.callbacks().onText(WebSocket::send).onBinary(WebSocket::send));
    // #endregion callbacks
    try (MemoryClient client = MemoryClient.of(app)) {
      assertEquals("hello", client.webSocket("/echo").send("hello").text());
    }
  }

  record Price(String of, int cents) {}

  @Test
  void eventsAreALoop() {
    List<Price> prices = List.of(new Price("tea", 120), new Price("milk", 99));
    // #region events
    App app = new App();
    app.get(
        "/prices",
        Events.of(
            (req, events) -> {
              String seen = events.lastEventId(); // of a reconnecting browser; else empty
              int known = seen.matches("\\d{1,9}") ? Integer.parseInt(seen) : 0;
              int at = Math.min(known, prices.size()); // a client may send any id
              for (Price price : prices.subList(at, prices.size())) {
                events.send(String.valueOf(++at), "price", price); // id, name, JSON
              }
            }));
    // #endregion events
    try (MemoryClient client = MemoryClient.of(app)) {
      TestEventStream events = client.events("/prices");
      assertEquals("{\"of\":\"tea\",\"cents\":120}", events.data());
      assertEquals("2", events.next().id());
      Call again = Call.get("/prices").header("Last-Event-ID", "1");
      assertTrue(client.events(again).data().contains("milk"));
      Call invalid = Call.get("/prices").header("Last-Event-ID", "x");
      assertTrue(client.events(invalid).data().contains("tea"));
    }
  }

  @Test
  void topicsReachAll() {
    // #region topic
    App app = new App();
    Topic<Price> prices = Topic.of(Price.class).history(100);
    app.get("/prices", prices.events()); // for EventSource
    app.get("/prices.ws", prices.webSocket()); // for WebSocket
    app.post(
        "/prices",
        (req, res) -> {
          prices.publish(new Price("tea", 130));
          res.sendStatus(204);
        });
    // #endregion topic
    try (MemoryClient client = MemoryClient.of(app)) {
      TestEventStream events = client.events("/prices?lastEventId=0");
      assertEquals(200, events.head().status());
      TestWebSocket socket = client.webSocket("/prices.ws?lastEventId=0");
      assertEquals(101, socket.head().status());
      assertEquals(204, Call.post("/prices").to(app).status());
      assertEquals("{\"of\":\"tea\",\"cents\":130}", events.data());
      assertTrue(socket.text().contains("\"cents\":130"));
    }
  }

  record Say(String text) {}

  @Test
  void roomsResume() {
    // #region rooms
    App app = new App();
    Topic<Say> rooms = Topic.of(Say.class).name("rooms").history(100).ids(true);
    app.get(
        "/rooms/:room",
        rooms.webSocket( // subscribes each socket before it opens
            req -> req.params().get("room"),
            WebSockets.of(
                socket -> {
                  Topic<Say> room = rooms.child(socket.req().params().get("room"));
                  for (String text : socket.texts()) {
                    room.publish(new Say(text));
                  }
                })));
    // #endregion rooms
    try (MemoryClient client = MemoryClient.of(app)) {
      TestWebSocket ann = client.webSocket("/rooms/tea");
      assertEquals("{\"id\":0}", ann.text());
      TestWebSocket bob = client.webSocket("/rooms/tea").send("hello");
      String said = ann.text();
      assertTrue(said.endsWith(",\"data\":{\"text\":\"hello\"}}"), said);
      bob.disconnect();
      ann.disconnect();
    }
  }

  @Test
  void testsTalk() {
    App app = new App().get("/echo", WebSockets.callbacks().onText(WebSocket::send));
    // #region test
    try (MemoryClient client = MemoryClient.of(app)) {
      TestWebSocket socket = client.webSocket("/echo");
      assertEquals("hello", socket.send("hello").text());
      assertEquals(1000, socket.close(1000, "bye").closeCode());
    }
    // #endregion test
  }
}
