package dev.percolate.examples.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class StockTest {

  private final HikariDataSource pool =
      Stock.pool("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_ON_EXIT=FALSE");
  private App app = new App();

  @BeforeEach
  void migrate() throws Exception {
    app = Stock.app(pool);
  }

  @AfterEach
  void allConnectionsAreInThePool() {
    assertEquals(0, pool.getHikariPoolMXBean().getActiveConnections());
    pool.close();
  }

  private Reply add(String name) {
    return Call.post("/items").json(Map.of("name", name, "amount", 1)).to(app);
  }

  @Test
  void anItemIsAddedAndRead() {
    assertEquals("/items/1", add("tea").header("Location"));
    Reply reply = Call.get("/items/1").to(app);
    assertEquals("\"1\"", reply.header("ETag"));
    assertEquals(Map.of("id", 1, "name", "tea", "amount", 1, "version", 1), reply.json(Map.class));
    assertEquals(404, Call.get("/items/2").to(app).status());
    assertEquals(422, add(" ").status());
  }

  @Test
  void aPageNamesTheNextOne() {
    for (String name : new String[] {"a", "b", "c"}) {
      assertEquals(201, add(name).status());
    }
    Reply first = Call.get("/items?limit=2").to(app);
    assertEquals("</items?after=2&limit=2>; rel=\"next\"", first.header("Link"));
    Reply second = Call.get("/items?after=2&limit=2").to(app);
    assertNull(second.header("Link"));
    assertEquals(1, second.json(Object[].class).length);
    assertEquals(422, Call.get("/items?limit=101").to(app).status());
    assertEquals(400, Call.get("/items?limit=x").to(app).status());
  }

  @Test
  void anUpdateNeedsTheCurrentVersion() {
    assertEquals(201, add("tea").status());
    Call put = Call.put("/items/1").json(Map.of("name", "tea", "amount", 4));
    assertEquals(428, put.to(app).status());
    Call conditional = put.header("If-Match", "\"1\"");
    assertEquals("\"2\"", conditional.to(app).header("ETag"));
    assertEquals(412, conditional.to(app).status());
    assertEquals("\"2\"", Call.get("/items/1").to(app).header("ETag"));
  }

  @Test
  void anErrorRollsBack() {
    App failing = new App();
    failing.use(Transaction.ofEachRequest(pool));
    failing.post(
        "/",
        (req, res) -> {
          Transaction.of(req).insert("insert into item (name, amount) values ('x', 1)");
          throw new HttpError(409);
        });
    assertEquals(409, Call.post("/").to(failing).status());
    assertEquals("[]", Call.get("/items").to(app).text());
  }

  @Test
  void aKeyThatExistsIsA409() {
    App twice = new App();
    twice.use(Transaction.ofEachRequest(pool));
    twice.post(
        "/",
        (req, res) -> {
          Transaction.of(req).update("insert into migration values (1)");
          res.sendStatus(204);
        });
    assertEquals(409, Call.post("/").to(twice).status());
  }

  @Test
  void aValueThatTheColumnCannotHoldIsA422() {
    App invalid = new App();
    invalid.use(Transaction.ofEachRequest(pool));
    invalid.get(
        "/",
        (req, res) ->
            res.json(
                Transaction.of(req).list(Long.class, "select id from item where id = ?", "x")));
    assertEquals(422, Call.get("/").to(invalid).status());
  }

  @Test
  void afterTheResponseThereIsNoTransaction() {
    App late = new App();
    StringBuilder failure = new StringBuilder();
    late.use(Transaction.ofEachRequest(pool));
    late.get(
        "/",
        (req, res) -> {
          Transaction db = Transaction.of(req);
          res.sendStatus(204);
          try {
            db.list(Long.class, "select count(*) from item");
          } catch (IllegalStateException e) {
            failure.append(e.getMessage());
          }
        });
    assertEquals(204, Call.get("/").to(late).status());
    assertEquals("the transaction has ended, since the response was sent", failure.toString());
  }

  @Test
  void migrationsAreRunOnce() throws Exception {
    assertEquals(0, Migrations.run(pool, Stock.class));
    assertNotNull(add("tea").header("ETag"));
  }
}
