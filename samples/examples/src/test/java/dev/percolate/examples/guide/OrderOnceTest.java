package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.Idempotency;
import dev.percolate.middleware.MemoryIdempotency;
import dev.percolate.middleware.VirtualHost;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Places each order once, even if a server dies: its key is stored in the same transaction. */
final class OrderOnceTest {

  private final JdbcDataSource database = new JdbcDataSource();

  @BeforeEach
  void createTables() throws SQLException {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000");
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      // #region once-tables
      statement.execute("create table stock (item varchar(40) primary key, amount int not null)");
      statement.execute(
          """
          create table orders (
            id bigint generated always as identity primary key,
            idempotency_key varchar(43) unique,  -- null for requests without a key
            item varchar(40) not null)
          """);
      // #endregion once-tables
      statement.execute("insert into stock values ('tea', 100)");
    }
  }

  // #region once
  private record NewOrder(String item) {}

  /** Places an order. Its key, its row and the stock change together or not at all. */
  long place(String key, String item) throws SQLException {
    try (Connection connection = database.getConnection()) {
      connection.setAutoCommit(false);
      try {
        long id = insertOrder(connection, key, item); // waits for others with this key
        takeFromStock(connection, item);
        connection.commit();
        return id;
      } catch (SQLException e) {
        connection.rollback();
        if (key != null && "23505".equals(e.getSQLState())) { // the order exists
          return placed(connection, key);
        }
        throw e;
      }
    }
  }

  App app() {
    App app = new App();
    app.use(BasicAuth.of((user, password) -> password.equals("secret of " + user)));
    app.post(
        "/orders",
        BodyParsers.json(),
        Idempotency.of(MemoryIdempotency.of()), // jdbc or redis on several servers
        (req, res) -> {
          String item = req.body(NewOrder.class).item();
          long id = place(req.attrOrNull(Idempotency.KEY), item);
          res.status(201).json(Map.of("order", id));
        });
    return app;
  }

  // #endregion once

  private static long insertOrder(Connection connection, String key, String item)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into orders (idempotency_key, item) values (?, ?)",
            Statement.RETURN_GENERATED_KEYS)) {
      insert.setString(1, key);
      insert.setString(2, item);
      insert.executeUpdate();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        keys.next();
        return keys.getLong(1);
      }
    }
  }

  private static void takeFromStock(Connection connection, String item) throws SQLException {
    try (PreparedStatement take =
        connection.prepareStatement("update stock set amount = amount - 1 where item = ?")) {
      take.setString(1, item);
      take.executeUpdate();
    }
  }

  private static long placed(Connection connection, String key) throws SQLException {
    try (PreparedStatement find =
        connection.prepareStatement("select id from orders where idempotency_key = ?")) {
      find.setString(1, key);
      try (ResultSet found = find.executeQuery()) {
        found.next();
        return found.getLong(1);
      }
    }
  }

  private int number(String query) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getInt(1);
    }
  }

  private static Reply order(App app, String user, String key) {
    Call call = Call.post("/orders").json(Map.of("item", "tea"));
    String credentials =
        java.util.Base64.getEncoder()
            .encodeToString(
                (user + ":secret of " + user).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    call = call.header("Authorization", "Basic " + credentials);
    return (key == null ? call : call.header("Idempotency-Key", key)).to(app);
  }

  @Test
  void aRetryAtAnotherServerPlacesNoSecondOrder() throws Exception {
    Reply first = order(app(), "ann", "order-1");
    Reply second = order(app(), "ann", "order-1"); // a server with other memory
    assertEquals("201 {\"order\":1}", first.status() + " " + first.text().replaceAll("\\s", ""));
    assertEquals("201 {\"order\":1}", second.status() + " " + second.text().replaceAll("\\s", ""));
    assertEquals(1, number("select count(*) from orders"));
    assertEquals(99, number("select amount from stock"));
  }

  @Test
  void bodiesOfAnotherFormAreRejected() throws Exception {
    byte[] user = "ann:secret of ann".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    String credentials = "Basic " + java.util.Base64.getEncoder().encodeToString(user);
    Call call = Call.post("/orders").header("Authorization", credentials);
    assertEquals(400, call.json(List.of()).to(app()).status());
    assertEquals(415, call.header("Content-Type", "text/plain").body("tea").to(app()).status());
    assertEquals(0, number("select count(*) from orders"));
  }

  @Test
  void clientsWithTheSameKeyAreSeparate() throws Exception {
    App app = app();
    String ann = order(app, "ann", "order-1").text();
    String bob = order(app, "bob", "order-1").text();
    assertFalse(ann.equals(bob), bob);
    assertEquals(ann, order(app, "ann", "order-1").text());
    assertEquals(bob, order(app, "bob", "order-1").text());
    order(app, "ann", null);
    order(app, "ann", null);
    assertEquals(4, number("select count(*) from orders"));
  }

  @Test
  void concurrentRequestsPlaceOneOrder() throws Exception {
    List<CompletableFuture<Reply>> replies =
        IntStream.range(0, 8)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> order(app(), "ann", "order-1")))
            .toList();
    String first = replies.get(0).get(60, TimeUnit.SECONDS).text();
    for (CompletableFuture<Reply> reply : replies) {
      assertEquals(first, reply.get(60, TimeUnit.SECONDS).text());
    }
    assertEquals(1, number("select count(*) from orders"));
    assertEquals(99, number("select amount from stock"));
  }

  @Test
  void anApplicationWithoutIdentityDoesNotStart() throws Exception {
    Handler done = (req, res) -> res.send("done");
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1");
    Idempotency once = Idempotency.of(MemoryIdempotency.of());
    for (App app :
        List.of(
            new App().post("/orders", once, done),
            new App().use("/admin", BasicAuth.of("a", "b")).post("/orders", once, done),
            new App().post("/orders", once, done).use(BasicAuth.of("a", "b")),
            new App().group("/a", a -> a.post("/orders", once, done)),
            new App().use(VirtualHost.of("a.example", new App().post("/orders", once, done))))) {
      Exception rejected = assertThrows(IllegalStateException.class, () -> app.listen(options));
      assertTrue(rejected.getMessage().contains(".client(req ->"), rejected.getMessage());
    }
    for (App app :
        List.of(
            new App().post("/orders", once.anonymous(), done),
            new App().post("/orders", once.client(req -> req.get("X-Api-Key")), done),
            new App().post("/orders", BasicAuth.of("a", "b"), once, done),
            new App().use(BasicAuth.of("a", "b")).group("/a", a -> a.post("/orders", once, done)),
            new App().use(BasicAuth.of("a", "b")).use("/a", new App().post("/orders", once, done)),
            new App()
                .use(BasicAuth.of("a", "b"))
                .use(VirtualHost.of("a.example", new App().post("/orders", once, done))))) {
      try (Server server = app.listen(options)) {
        assertTrue(server.port() > 0);
      }
    }
  }
}
