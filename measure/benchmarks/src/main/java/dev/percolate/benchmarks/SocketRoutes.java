package dev.percolate.benchmarks;

import dev.percolate.framework.App;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The routes of {@code measure/benchmarks/run sockets}: an echo, and a topic with a route to
 * publish.
 */
final class SocketRoutes {

  /** The length of the quotation marks of a JSON string. */
  private static final int QUOTES = 2;

  private SocketRoutes() {}

  static void addTo(App app, boolean threads, boolean count) {
    WebSockets echo = threads ? waiting() : WebSockets.callbacks().onText(WebSocket::send);
    Topic<String> topic = Topic.of(String.class);
    if (count) {
      Map<Integer, Integer> closed = new ConcurrentHashMap<>();
      WebSockets.OnClose counting = (socket, code, reason) -> closed.merge(code, 1, Integer::sum);
      app.get("/sockets", echo.onClose(counting));
      app.get("/topic", topic.webSocket().onClose(counting));
      app.get("/closed", (req, res) -> res.send(closed.toString()));
    } else {
      app.get("/sockets", echo);
      app.get("/topic", topic.webSocket());
    }
    app.get(
        "/publish",
        (req, res) -> {
          topic.publish("x".repeat(req.queryRequired("bytes", Integer.class) - QUOTES));
          res.send("sent");
        });
  }

  private static WebSockets waiting() {
    return WebSockets.of(
        socket -> {
          for (String text : socket.texts()) {
            socket.send(text);
          }
        });
  }
}
