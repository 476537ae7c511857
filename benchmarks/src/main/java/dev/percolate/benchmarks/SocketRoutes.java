package dev.percolate.benchmarks;

import dev.percolate.framework.App;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;

/** The routes of {@code benchmarks/run sockets}: an echo, and a topic that a request writes to. */
final class SocketRoutes {

  /** The quotation marks of a string in JSON. */
  private static final int QUOTES = 2;

  private SocketRoutes() {}

  static void addTo(App app, boolean threads) {
    app.get("/sockets", threads ? waiting() : WebSockets.on().text(WebSocket::send));
    Topic<String> topic = Topic.of(String.class);
    app.get("/topic", topic.webSocket());
    app.get(
        "/publish",
        (req, res) -> {
          topic.send("x".repeat(req.queryRequired("bytes", Integer.class) - QUOTES));
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
