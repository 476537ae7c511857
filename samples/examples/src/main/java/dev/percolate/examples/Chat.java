package dev.percolate.examples;

import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.core.Request;
import dev.percolate.core.store.TopicBus;
import dev.percolate.framework.App;
import dev.percolate.jdbc.Jdbc;
import dev.percolate.middleware.MemoryTopics;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSockets;
import dev.percolate.redis.Redis;
import java.sql.SQLException;

/**
 * A chat with WebSockets. Each message goes to all members of the room, including its sender. The
 * environment variable {@code STORE_URL} connects several servers: {@code redis://localhost}, or
 * {@code jdbc:postgresql://localhost/chat?user=chat}.
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
          const line = document.querySelector('ul').appendChild(document.createElement('li'));
          line.innerText = JSON.parse(data);
        };
        document.querySelector('form').onsubmit = event => {
          event.preventDefault();
          socket.send(event.target[0].value);
          event.target.reset();
        };
      </script>
      """;

  private Chat() {}

  public static void main(String[] args) throws Exception {
    App app = app(System.getenv().getOrDefault("STORE_URL", ""));
    System.out.println("Listening at " + app.listen(Integer.getInteger("port", 3000)).uri());
  }

  /** Creates the application with the topics of a database or of Redis; in memory if empty. */
  static App app(String storeUrl) throws SQLException {
    if (storeUrl.isEmpty()) {
      return app(MemoryTopics.of());
    }
    if (storeUrl.startsWith("jdbc:")) {
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(storeUrl);
      Jdbc jdbc = Jdbc.of(pool);
      jdbc.createTables();
      return app(jdbc.topics()).onClose(pool).onClose(jdbc);
    }
    Redis redis = Redis.of(storeUrl, "chat");
    return app(redis.topics()).onClose(redis);
  }

  private static App app(TopicBus bus) {
    Topic<String> rooms = Topic.of(String.class).name("rooms").bus(bus);
    WebSockets sockets =
        WebSockets.callbacks()
            .maxMessageSize("4kb")
            .onText((socket, text) -> rooms.child(room(socket.req())).publish(text));
    App app = new App();
    app.get("/", (req, res) -> res.send(PAGE));
    app.get("/rooms/:room", rooms.webSocket(Chat::room, sockets));
    return app;
  }

  private static String room(Request req) {
    return req.params().required("room", String.class);
  }
}
