package dev.percolate.examples;

import dev.percolate.framework.App;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSocketGroup;
import dev.percolate.middleware.WebSockets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A chat with WebSockets. Each message goes to all members of the room, including its sender.
 *
 * <pre>http://localhost:3000/#tea in two windows, or npx wscat -c localhost:3000/rooms/tea</pre>
 */
final class Chat {

  private static final String PAGE =
      """
      <!doctype html>
      <title>Chat</title>
      <form><input autofocus> <button>Say</button></form><ul></ul>
      <script>
        const path = '/rooms/' + (location.hash.slice(1) || 'lobby');
        const socket = new WebSocket(location.origin.replace('http', 'ws') + path);
        socket.onmessage = ({data}) => {
          document.querySelector('ul').appendChild(document.createElement('li')).innerText = data;
        };
        document.querySelector('form').onsubmit = event => {
          event.preventDefault();
          socket.send(event.target[0].value);
          event.target.reset();
        };
      </script>
      """;

  private final Map<String, WebSocketGroup> rooms = new ConcurrentHashMap<>();

  public static void main(String[] args) throws Exception {
    System.out.println("Listening at " + app().listen(Integer.getInteger("port", 3000)).uri());
  }

  static App app() {
    App app = new App();
    app.get("/", (req, res) -> res.send(PAGE));
    app.get("/rooms/:room", WebSockets.of(new Chat()::talk).maxMessageSize("4kb"));
    return app;
  }

  /** Handles one client on its own thread. The loop ends when the client disconnects. */
  private void talk(WebSocket socket) {
    String name = socket.req().params().required("room", String.class);
    WebSocketGroup room =
        rooms.compute(
            name, (any, known) -> (known == null ? new WebSocketGroup() : known).join(socket));
    for (String text : socket.texts()) {
      room.send(text);
    }
    rooms.computeIfPresent(name, (any, known) -> known.leave(socket).size() == 0 ? null : known);
  }
}
