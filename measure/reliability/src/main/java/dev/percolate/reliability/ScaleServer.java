package dev.percolate.reliability;

import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.middleware.Idempotency;
import dev.percolate.middleware.RateLimit;
import dev.percolate.middleware.Rooms;
import dev.percolate.middleware.Session;
import dev.percolate.middleware.Sessions;
import dev.percolate.middleware.Topic;
import dev.percolate.middleware.WebSocket;
import dev.percolate.middleware.WebSockets;
import dev.percolate.parsers.BodyParsers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One of several servers that share sessions, rate limits, idempotent responses and topics. {@code
 * reliability/scale} starts them.
 *
 * <p>System properties: {@code port}, {@code store}, the URL of Redis or of a database, {@code
 * announce} in seconds, {@code orders}, the folder of {@link Orders}, {@code number}, the number of
 * this server, {@code timeout}, the time that a request waits for the store, in milliseconds.
 */
final class ScaleServer {

  private static final String SECRET = "one secret for all of these servers";
  private static final int LIMIT = 50;
  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final int KEPT = 10_000;

  private ScaleServer() {}

  /**
   * Serves until the process is stopped.
   *
   * @param args none
   */
  public static void main(String[] args) throws Exception {
    Duration timeout = Duration.ofMillis(Integer.getInteger("timeout"));
    SharedStores stores = SharedStores.of(System.getProperty("store"), timeout);
    Orders orders = new Orders(Path.of(System.getProperty("orders")), Integer.getInteger("number"));
    AtomicReference<Server> server = new AtomicReference<>();
    App app = new App();
    app.set("etag", false).set("trust proxy", "127.0.0.1");
    app.get("/ready", ready(server));
    app.get("/none/session", (req, res) -> res.json(state(Map.of("v", "x"))));
    Sessions sessions = Sessions.of(SECRET).cookie(c -> c.maxAge(3_600_000));
    app.use("/memory", sessions.name("m"));
    app.use(sessions.store(stores.sessions()));
    app.get("/session", (req, res) -> res.json(state(req.attr(Sessions.SESSION).values())));
    app.get("/memory/session", (req, res) -> res.json(state(req.attr(Sessions.SESSION).values())));
    app.post("/memory/set", ScaleServer::set);
    app.put("/set", ScaleServer::set);
    app.post("/set", ScaleServer::set);
    app.post("/count", ScaleServer::count);
    app.post(
        "/put",
        (req, res) -> {
          req.attr(Sessions.SESSION).set(req.queryRequired("name", String.class), 1);
          res.send("put");
        });
    app.get(
        "/limited",
        RateLimit.of(LIMIT, WINDOW).store(stores.limited()).client(req -> "all"),
        (req, res) -> res.send("passed"));
    app.get(
        "/rate",
        RateLimit.of(1_000_000_000, WINDOW).store(stores.rate()).client(req -> "all"),
        (req, res) -> res.send("passed"));
    app.post(
        "/order",
        BodyParsers.text(),
        Idempotency.of(stores.idempotency()).lease(Duration.ofSeconds(3)).client(req -> "all"),
        (req, res) -> {
          orders.add(req.get("Idempotency-Key"));
          res.status(201).send("done");
        });
    app.get("/who", (req, res) -> res.send(who(req) + ' ' + req.authority()));
    app.get(
        "/echo",
        WebSockets.callbacks()
            .onText(
                (socket, text) -> {
                  WebSocket ignored = socket.send(who(socket.req()) + ' ' + text);
                }));
    Topic<String> topic = Topic.of(String.class).history(KEPT).ids(true).bus(stores.topics());
    app.get("/topic", topic.webSocket());
    app.get("/events", topic.events());
    app.post(
        "/topic",
        (req, res) -> res.send("" + topic.publish(req.queryRequired("text", String.class))));
    app.onClose(stores.open());
    addRooms(app, stores);
    Duration announce = Duration.ofSeconds(Integer.getInteger("announce", 5));
    server.set(
        app.listen(
            ListenOptions.ofPort(Integer.getInteger("port"))
                .host("127.0.0.1")
                .behindProxy(Duration.ofMinutes(1))
                .shutdownDelay(announce)));
    System.out.println("ready");
  }

  private static void addRooms(App app, SharedStores stores) {
    Rooms<String> rooms =
        Rooms.of(String.class).history(KEPT).bus(stores.topics()).members(stores.members());
    app.get(
        "/rooms/:room/:user",
        rooms.webSocket(
            req -> req.params().required("room", String.class),
            req -> req.params().required("user", String.class),
            (room, user, text) -> room.send(text)));
    app.post(
        "/rooms/:room",
        (req, res) -> {
          String room = req.params().required("room", String.class);
          res.send("" + rooms.room(room).send(req.queryRequired("text", String.class)));
        });
    app.get(
        "/members",
        (req, res) -> {
          int all = 0;
          for (int room = 0; room < req.queryRequired("rooms", Integer.class); room++) {
            all += rooms.room("room-" + room).count();
          }
          res.send("" + all);
        });
    app.onClose(rooms);
  }

  private static String who(Request req) {
    return req.ip() + ' ' + req.secure();
  }

  private static Handler ready(AtomicReference<Server> server) {
    return (req, res) -> {
      Server known = server.get();
      boolean leaving = known == null || known.isShuttingDown();
      res.status(leaving ? 503 : 200).send(leaving ? "leaving" : "ready");
    };
  }

  private static Map<String, Object> state(Map<String, Object> session) {
    return Map.of(
        "n", session.getOrDefault("n", 0),
        "v", session.getOrDefault("v", ""),
        "names", session.keySet().stream().filter(name -> name.startsWith("x")).count());
  }

  private static void set(Request req, Response res) {
    req.attr(Sessions.SESSION).set("v", req.queryRequired("v", String.class));
    res.send("set");
  }

  private static void count(Request req, Response res) {
    Session session = req.attr(Sessions.SESSION);
    int n =
        session.update(
            s -> {
              int more = s.get("n") instanceof Integer known ? known + 1 : 1;
              s.set("n", more);
              return more;
            });
    res.json(Map.of("n", n));
  }
}
