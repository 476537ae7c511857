package dev.percolate.reliability;

import dev.percolate.core.Request;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.framework.App;
import dev.percolate.middleware.EventStream;
import dev.percolate.middleware.Events;
import dev.percolate.middleware.MessageStream;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSocketMessage;
import dev.percolate.middleware.WebSockets;
import dev.percolate.reliability.Ledger.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Serves each {@link LiveKind} at a path with its name.
 *
 * <p>A request for a series selects it with {@code ?count=} and {@code ?seed=}, and with {@code
 * ?code=} the code that closes a socket afterwards. With 0 the client disconnects.
 */
final class LiveHandlers {

  /** The number of messages of the topic that are kept for reconnecting clients. */
  static final int KEPT = 2_000;

  /** The time without events after which a stream sends a heartbeat, to detect a lost client. */
  private static final String HEARTBEAT = "1 s";

  private static final int IDLE_SECONDS = 2;
  private static final long FOR_EVER = TimeUnit.DAYS.toMillis(1);

  private final Executor senders =
      new ThreadPoolExecutor(
          0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>());

  private final Topic<String> topic;

  /**
   * Creates the handlers of one server.
   *
   * @param bus the bus that carries the messages of the topic
   */
  LiveHandlers(TopicBus bus) {
    topic = Topic.of(String.class).name("news").history(KEPT).bus(bus);
  }

  /** Publishes a message to the topic; returns its id. */
  long publish(String message) throws IOException {
    return topic.publish(message);
  }

  void addTo(App app) {
    app.get(path(LiveKind.ECHO_CALLED), echo());
    app.get(path(LiveKind.ECHO_WAITING), WebSockets.of(LiveHandlers::echoMessages));
    app.get(path(LiveKind.ECHO_STREAMING), WebSockets.of(LiveHandlers::echoStreams));
    app.get(
        path(LiveKind.SERIES_CALLED),
        WebSockets.callbacks()
            .onOpen(socket -> entry(socket.req()).step(() -> senders.execute(() -> send(socket)))));
    app.get(
        path(LiveKind.SERIES_WAITING),
        WebSockets.of(
            socket -> {
              send(socket);
              socket.messages().forEach(none -> entry(socket.req()).fault("received a message"));
            }));
    app.get(
        path(LiveKind.EVENTS_CALLED),
        Events.async((req, events) -> senders.execute(() -> send(events))).heartbeat(HEARTBEAT));
    app.get(
        path(LiveKind.EVENTS_WAITING),
        Events.of(
                (req, events) -> {
                  send(events);
                  if (events.isOpen()) {
                    Thread.sleep(FOR_EVER);
                  }
                })
            .heartbeat(HEARTBEAT));
    app.get(path(LiveKind.TOPIC_EVENTS), topic.events().heartbeat(HEARTBEAT));
    app.get(path(LiveKind.TOPIC_SOCKET), topic.webSocket());
  }

  private static WebSockets echo() {
    return WebSockets.callbacks()
        .onText((socket, text) -> entry(socket.req()).step(() -> socket.send(text)))
        .onBinary((socket, bytes) -> entry(socket.req()).step(() -> socket.send(bytes)));
  }

  private static void echoMessages(WebSocket socket) throws IOException {
    for (WebSocketMessage message : socket.messages()) {
      if (message.isText()) {
        socket.send(message.text());
      } else {
        socket.send(message.bytes());
      }
    }
  }

  private static void echoStreams(WebSocket socket) throws IOException {
    for (MessageStream message : socket.streams()) {
      if (message.isText()) {
        try (Writer out = socket.textWriter()) {
          message.reader().transferTo(out);
        }
      } else {
        try (OutputStream out = socket.binaryStream()) {
          message.transferTo(out);
        }
      }
    }
  }

  private static void send(WebSocket socket) {
    Request req = socket.req();
    try {
      for (LiveMessage message : series(req)) {
        if (message.isText()) {
          socket.send(message.asText());
        } else {
          socket.send(message.content());
        }
      }
    } catch (ClientDisconnectedException e) {
      return;
    } catch (IOException e) {
      if (socket.isOpen()) {
        entry(req).fault("cannot send: " + e);
      }
      return;
    }
    int code = number(req, "code");
    if (code > 0) {
      socket.close(code, "the series is over");
    }
  }

  private static void send(EventStream events) {
    Entry entry = entry(events.req());
    entry.counting();
    int begun = 0;
    int sent = 0;
    try {
      for (LiveMessage message : series(events.req())) {
        begun++;
        events.send(sent, eventName(sent), message.asEvent());
        sent++;
      }
      if (number(events.req(), "code") > 0) {
        events.close();
      }
    } catch (IOException e) {
      if (events.isOpen()) {
        entry.fault("cannot send: " + e);
      }
    } finally {
      entry.counted(begun, sent);
    }
  }

  /** Returns the name of an event of a series. */
  static String eventName(int number) {
    return number % 2 == 0 ? "" : "odd";
  }

  private static List<LiveMessage> series(Request req) {
    long seed = Long.parseLong(String.valueOf(req.query("seed")));
    return LiveMessage.series(entry(req).id, seed, number(req, "count"));
  }

  private static int number(Request req, String name) {
    return Integer.parseInt(String.valueOf(req.query(name)));
  }

  private static Entry entry(Request req) {
    return req.attr(Ledger.ENTRY);
  }

  private static String path(LiveKind kind) {
    return "/" + kind.text();
  }
}
