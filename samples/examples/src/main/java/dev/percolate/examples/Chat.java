package dev.percolate.examples;

import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.framework.App;
import dev.percolate.jdbc.Jdbc;
import dev.percolate.middleware.Rooms;
import dev.percolate.redis.Redis;
import java.sql.SQLException;

/**
 * A chat with WebSockets. Each message goes to all members of the room, including its sender. The
 * environment variable {@code STORE_URL} connects several servers: {@code redis://localhost}, or
 * {@code jdbc:postgresql://localhost/chat?user=chat}.
 *
 * <pre>http://localhost:3000/?user=ann#tea and http://localhost:3000/?user=ben#tea</pre>
 */
final class Chat {

  private static final String PAGE =
      """
      <!doctype html>
      <title>Chat</title>
      <form><input autofocus> <button>Say</button></form><ul></ul>
      <script src="/rooms.js"></script>
      <script>
        const room = joinRoom('/rooms/' + (location.hash.slice(1) || 'lobby') + location.search, frame => {
          const line = document.querySelector('ul').appendChild(document.createElement('li'));
          line.innerText = frame.data ?? (frame.join ? frame.join + ' joins' : frame.leave + ' leaves');
        });
        document.querySelector('form').onsubmit = event => {
          event.preventDefault();
          room.send(event.target[0].value);
          event.target.reset();
        };
      </script>
      """;

  private Chat() {}

  public static void main(String[] args) throws Exception {
    App app = app(System.getenv().getOrDefault("STORE_URL", ""));
    System.out.println("Listening at " + app.listen(Integer.getInteger("port", 3000)).uri());
  }

  /** Creates the application with rooms in a database or in Redis; in memory if empty. */
  static App app(String storeUrl) throws SQLException {
    Rooms<String> rooms = Rooms.of(String.class).presence(true);
    if (storeUrl.isEmpty()) {
      return app(new App(), rooms);
    }
    if (storeUrl.startsWith("jdbc:")) {
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(storeUrl);
      Jdbc jdbc = Jdbc.of(pool);
      jdbc.createTables();
      App app = new App().onClose(pool).onClose(jdbc);
      return app(app, rooms.bus(jdbc.topics()).members(jdbc.members()));
    }
    Redis redis = Redis.of(storeUrl, "chat");
    return app(new App().onClose(redis), rooms.bus(redis.topics()).members(redis.members()));
  }

  private static App app(App app, Rooms<String> rooms) {
    app.get("/", (req, res) -> res.send(PAGE));
    app.get("/rooms.js", Rooms.client());
    app.get(
        "/rooms/:room",
        rooms
            .webSocket(
                req -> req.params().required("room", String.class),
                req -> req.query("user", String.class, "guest"),
                (room, user, text) -> room.send(user + ": " + text))
            .maxMessageSize("4kb"));
    return app.onClose(rooms);
  }
}
