package dev.percolate.checks;

import static dev.percolate.checks.HttpProvocations.handler;
import static dev.percolate.checks.Provocation.PATH;

import dev.percolate.core.UpgradedConnection;
import dev.percolate.core.store.TopicBus;
import dev.percolate.middleware.Events;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.middleware.Rooms;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSockets;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.TestConnection;
import dev.percolate.testkit.TestEventStream;
import dev.percolate.testkit.TestWebSocket;
import java.nio.ByteBuffer;
import java.util.Map;

/** Callbacks of WebSockets, event streams, topics, and of connections with another protocol. */
final class SocketProvocations {

  private static final WebSockets.OnMessage<String> IGNORING = (socket, text) -> {};

  private SocketProvocations() {}

  static void addTo(Map<String, Provocation> all) {
    sockets(all);
    streams(all);
    topics(all);
    rooms(all);
    upgrades(all);
  }

  private static void sockets(Map<String, Provocation> all) {
    all.put(
        "WebSockets.onOpen(WebSockets.OnOpen)",
        Provocation.of(
            (app, fault) -> app.get(PATH, WebSockets.callbacks().onOpen(socket -> fault.run())),
            SocketProvocations::untilClosed));
    all.put(
        "WebSockets.onText(WebSockets.OnMessage)",
        Provocation.of(
            (app, fault) ->
                app.get(PATH, WebSockets.callbacks().onText((socket, text) -> fault.run())),
            client -> {
              try (TestWebSocket talk = client.webSocket(PATH)) {
                talk.send("text");
                expect(1011, talk.closeCode());
              }
            }));
    all.put(
        "WebSockets.onBinary(WebSockets.OnMessage)",
        Provocation.of(
            (app, fault) ->
                app.get(PATH, WebSockets.callbacks().onBinary((socket, bytes) -> fault.run())),
            client -> {
              try (TestWebSocket talk = client.webSocket(PATH)) {
                talk.send(new byte[3]);
                expect(1011, talk.closeCode());
              }
            }));
    all.put(
        "WebSockets.of(WebSocketHandler)",
        Provocation.of(
            (app, fault) -> app.get(PATH, WebSockets.of(socket -> fault.run())),
            SocketProvocations::untilClosed));
    all.put(
        "WebSockets.onClose(WebSockets.OnClose)",
        Provocation.of(
            (app, fault) ->
                app.get(
                    PATH,
                    WebSockets.callbacks()
                        .onText(IGNORING)
                        .onClose((socket, code, reason) -> fault.run())),
            SocketProvocations::comeAndGo));
    all.put(
        "WebSocket.onClose(Runnable)",
        Provocation.of(
            (app, fault) ->
                app.get(
                    PATH,
                    WebSockets.callbacks()
                        .onOpen(socket -> socket.onClose(fault::run))
                        .onText(IGNORING)),
            SocketProvocations::comeAndGo));
    all.put(
        "Response.onConnectionClose(Consumer)",
        Provocation.of(
            (app, fault) ->
                app.get(
                    PATH,
                    (req, res, next) -> {
                      res.onConnectionClose(closing -> fault.run());
                      next.run();
                    },
                    WebSockets.callbacks().onText(IGNORING)),
            SocketProvocations::comeAndGo));
  }

  private static void streams(Map<String, Provocation> all) {
    all.put(
        "Events.of(EventHandler)",
        Provocation.of(
            (app, fault) -> app.get(PATH, Events.of((req, events) -> fault.run())),
            SocketProvocations::untilEnd));
    all.put(
        "Events.async(EventHandler)",
        Provocation.of(
            (app, fault) -> app.get(PATH, Events.async((req, events) -> fault.run())),
            SocketProvocations::untilEnd));
    all.put(
        "EventStream.onClose(Runnable)",
        Provocation.of(
            (app, fault) ->
                app.get(PATH, Events.async((req, events) -> events.onClose(fault::run).close())),
            SocketProvocations::untilEnd));
  }

  private static void topics(Map<String, Provocation> all) {
    all.put(
        "Topic.subscribe(Consumer)",
        Provocation.of(
            (app, fault) -> {
              Topic<String> topic = Topic.of(String.class);
              app.onClose(topic.subscribe(text -> fault.run()));
              app.get(PATH, handler((req, res) -> res.send("" + topic.publish("text"))));
            }));
    all.put(
        "*.subscribe(Consumer)",
        Provocation.of(
            (app, fault) -> {
              TopicBus bus = MemoryTopics.of();
              app.onClose(bus.subscribe("a", -1, message -> fault.run()));
              app.get(PATH, handler((req, res) -> res.send("" + bus.publish("a", "{}", 0))));
            }));
    all.put(
        "Topic.bus(TopicBus)",
        Provocation.of(
            (app, fault) -> {
              Topic<String> topic = Topic.of(String.class).bus(new ThrowingBus(fault));
              app.get(PATH, topic.events());
              app.get(PATH + "/socket", topic.webSocket());
            },
            client -> {
              untilEnd(client);
              try (TestConnection talk = upgrade(PATH + "/socket").open(client)) {
                talk.reply();
              }
            }));
    all.put(
        "Topic.events(Function)",
        Provocation.of(
            (app, fault) -> {
              Topic<String> topic = Topic.of(String.class).name("provoked events");
              app.get(PATH, topic.events(req -> fault.raise()));
            }));
    all.put(
        "Topic.webSocket(Function)",
        Provocation.of(
            (app, fault) -> {
              Topic<String> topic = Topic.of(String.class).name("provoked sockets");
              app.get(PATH, topic.webSocket(req -> fault.raise(), WebSockets.callbacks()));
            },
            client -> {
              try (TestConnection talk = upgrade(PATH).open(client)) {
                talk.reply();
              }
            }));
    all.put(
        "*.codec(JsonCodec)",
        Provocation.of(
            (app, fault) -> {
              Topic<String> topic = Topic.of(String.class).codec(new ThrowingCodec(fault));
              app.get(PATH, handler((req, res) -> res.send("" + topic.publish("text"))));
            }));
    all.put(
        "*.JSON_CODEC(JsonCodec)",
        Provocation.of(
            (app, fault) -> {
              app.set(dev.percolate.core.Settings.JSON_CODEC, new ThrowingCodec(fault));
              app.get(PATH, handler((req, res) -> res.json("text")));
            }));
  }

  private static void rooms(Map<String, Provocation> all) {
    all.put(
        "Rooms.webSocket(Function)",
        Provocation.of(
            (app, fault) ->
                app.get(
                    PATH,
                    Rooms.of(String.class)
                        .webSocket(req -> "tea", req -> fault.raise(), (room, user, text) -> {})),
            SocketProvocations::rejected));
    all.put(
        "Rooms.webSocket(Rooms.OnMessage)",
        Provocation.of(
            (app, fault) -> app.get(PATH, room(Rooms.of(String.class), fault::run)),
            client -> {
              try (TestWebSocket talk = client.webSocket(PATH)) {
                talk.send("\"text\"");
                expect(1011, talk.closeCode());
              }
            }));
    all.put(
        "Room.onChange(Room.OnChange)",
        Provocation.of(
            (app, fault) -> {
              Rooms<String> rooms = Rooms.of(String.class);
              app.onClose(rooms.room("tea").onChange((user, joined) -> fault.run()));
              app.get(PATH, room(rooms, () -> {}));
            },
            SocketProvocations::comeAndGo));
    all.put(
        "Rooms.bus(TopicBus)",
        Provocation.of(
            (app, fault) ->
                app.get(PATH, room(Rooms.of(String.class).bus(new ThrowingBus(fault)), () -> {})),
            SocketProvocations::rejected));
    all.put(
        "Rooms.members(MemberStore)",
        Provocation.of(
                (app, fault) -> {
                  Rooms<String> rooms = Rooms.of(String.class).members(new ThrowingMembers(fault));
                  app.get(PATH, room(rooms, () -> {}));
                },
                SocketProvocations::rejected)
            .toldOtherwise());
  }

  private static WebSockets room(Rooms<String> rooms, Runnable callback) {
    return rooms.webSocket(req -> "tea", req -> "ann", (room, user, text) -> callback.run());
  }

  private static void rejected(Client client) {
    try (TestConnection talk = upgrade(PATH).open(client)) {
      talk.reply();
    }
  }

  private static void upgrades(Map<String, Provocation> all) {
    all.put("Response.upgrade(Consumer)", upgrading((connection, fault) -> fault.run()));
    all.put(
        "UpgradedConnection.read(Exchange.OnRead)",
        upgrading((connection, fault) -> connection.read((piece, failure) -> fault.run())));
    all.put(
        "UpgradedConnection.write(Exchange.OnWritten)",
        upgrading(
            (connection, fault) ->
                connection.write(ByteBuffer.wrap(new byte[3]), failure -> fault.run())));
    all.put(
        "SerialExecutor.execute(Runnable)",
        upgrading(
            (connection, fault) -> {
              connection.executor().execute(fault::run);
              connection.end(ByteBuffer.allocate(0));
            }));
    all.put(
        "UpgradedConnection.onEnd(Runnable)",
        upgrading(
            (connection, fault) -> {
              connection.onEnd(fault::run);
              connection.abort();
            }));
  }

  /** Uses an upgraded connection. */
  @FunctionalInterface
  private interface OfConnection {

    void take(UpgradedConnection connection, Fault fault);
  }

  private static Provocation upgrading(OfConnection taking) {
    return Provocation.of(
        (app, fault) ->
            app.get(
                PATH,
                handler(
                    (req, res) -> {
                      res.set("Upgrade", "mine").set("Connection", "Upgrade");
                      res.upgrade(connection -> taking.take(connection, fault));
                    })),
        client -> {
          Call call = Call.get(PATH).header("Upgrade", "mine").header("Connection", "Upgrade");
          try (TestConnection talk = call.open(client)) {
            talk.head();
            talk.send("some");
            talk.reply();
          }
        });
  }

  private static Call upgrade(String path) {
    return Call.get(path)
        .header("Upgrade", "websocket")
        .header("Connection", "Upgrade")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==");
  }

  private static void untilClosed(Client client) {
    try (TestWebSocket talk = client.webSocket(PATH)) {
      expect(1011, talk.closeCode());
    }
  }

  private static void comeAndGo(Client client) {
    try (TestWebSocket talk = client.webSocket(PATH)) {
      talk.close(1000, "");
      expect(1000, talk.closeCode());
    }
  }

  private static void untilEnd(Client client) {
    try (TestEventStream talk = client.events(PATH)) {
      expect(true, talk.awaitEnd());
    }
  }

  private static void expect(Object expected, Object found) {
    if (!expected.equals(found)) {
      throw new AssertionError("expected " + expected + ", found " + found);
    }
  }
}
