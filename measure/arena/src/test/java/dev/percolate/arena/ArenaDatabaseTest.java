package dev.percolate.arena;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.percolate.engine.Server;
import dev.percolate.fixtures.PostgresServer;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the rules of the profiles with a database, as the validation of HttpArena does. */
final class ArenaDatabaseTest {

  private static final String ROWS =
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL,
        price INTEGER NOT NULL, quantity INTEGER NOT NULL, active BOOLEAN NOT NULL,
        tags JSONB NOT NULL, rating_score INTEGER NOT NULL, rating_count INTEGER NOT NULL);
      INSERT INTO items SELECT id, 'Item ' || id, CASE id % 2 WHEN 0 THEN 'tools' ELSE 'electronics' END,
        1 + id % 500, id % 1000, id % 2 = 0, '["fast", "new"]', id % 50, id % 500
        FROM generate_series(1, 5000) id;
      """;

  @TempDir private static Path folder;
  private static PostgresServer database;
  private static List<Server> servers;
  private static ArenaClient http;

  @BeforeAll
  static void start() throws Exception {
    database = PostgresServer.start();
    try (Connection connection = DriverManager.getConnection(database.url());
        Statement statement = connection.createStatement()) {
      boolean ignored = statement.execute(ROWS);
    }
    ArenaData.write(folder);
    servers =
        ArenaServer.start(
            Map.of(
                "ARENA_DATA", folder.toString(),
                "ARENA_PORTS", "0,0,0,0",
                "TLS_CERT", "none",
                "DATABASE_URL", "postgres://test:test@" + database.address() + "/postgres",
                "DATABASE_MAX_CONN", "4"));
    http = new ArenaClient(servers.get(0), Version.HTTP_1_1, SSLContext.getDefault());
  }

  @AfterAll
  static void stop() throws Exception {
    if (servers != null) {
      servers.get(0).close();
      servers.get(3).close();
    }
    if (database != null) {
      database.close();
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 80, 7", "20, 150, 18", "100, 400, 33", "10, 50, 50"})
  void aQueryFindsTheItemsInARangeOfPrices(int min, int max, int limit) throws Exception {
    HttpResponse<byte[]> response =
        http.get("/async-db?min=" + min + "&max=" + max + "&limit=" + limit);
    String type = response.headers().firstValue("Content-Type").orElse("");
    assertEquals("application/json", type.split(";", -1)[0]);
    Map<?, ?> body = ArenaClient.json(response);
    List<?> items = (List<?>) body.get("items");
    assertEquals(limit, items.size());
    assertEquals(limit, body.get("count"));
    for (Object value : items) {
      Map<?, ?> item = (Map<?, ?>) value;
      assertEquals(List.of("fast", "new"), item.get("tags"));
      assertInstanceOf(Boolean.class, item.get("active"));
      assertInstanceOf(Integer.class, ((Map<?, ?>) item.get("rating")).get("score"));
    }
  }

  @Test
  void anEmptyRangeHasNoItems() throws Exception {
    assertEquals("{\"items\":[],\"count\":0}", http.text("/async-db?min=9999&max=9999&limit=50"));
  }

  @Test
  void aPageHasAsManyItemsAsAsked() throws Exception {
    Map<?, ?> page = ArenaClient.json(http.get("/crud/items?category=electronics&page=1&limit=5"));
    List<?> items = (List<?>) page.get("items");
    assertEquals(5, items.size());
    assertEquals(5, page.get("total"));
    assertEquals(1, page.get("page"));
    assertInstanceOf(Map.class, ((Map<?, ?>) items.get(0)).get("rating"));
    Map<?, ?> next = ArenaClient.json(http.get("/crud/items?category=electronics&page=2&limit=5"));
    assertEquals(11, ((Map<?, ?>) ((List<?>) next.get("items")).get(0)).get("id"));
  }

  @Test
  void anItemIsCachedAfterTheFirstRead() throws Exception {
    HttpResponse<byte[]> first = http.get("/crud/items/42");
    assertEquals("MISS", first.headers().firstValue("X-Cache").orElse(""));
    assertEquals(42, ArenaClient.json(first).get("id"));
    String cache = "MISS";
    for (int i = 0; i < 1000 && cache.equals("MISS"); i++) { // a busy machine may be too slow
      cache = http.get("/crud/items/42").headers().firstValue("X-Cache").orElse("");
    }
    assertEquals("HIT", cache);
    assertEquals(404, http.get("/crud/items/999999").statusCode());
  }

  @Test
  void anItemIsCreatedReadAndChanged() throws Exception {
    String item =
        "{\"id\":200001,\"name\":\"Bench"
            + " Test\",\"category\":\"test\",\"price\":25,\"quantity\":10}";
    assertEquals(201, http.send(sending("/crud/items", "POST", item)).statusCode());
    assertEquals(201, http.send(sending("/crud/items", "POST", item)).statusCode());
    assertEquals(200001, ArenaClient.json(http.get("/crud/items/200001")).get("id"));
    String change = "{\"name\":\"Updated\",\"price\":30,\"quantity\":5}";
    assertEquals(200, http.send(sending("/crud/items/200001", "PUT", change)).statusCode());
    HttpResponse<byte[]> read = http.get("/crud/items/200001");
    assertEquals("MISS", read.headers().firstValue("X-Cache").orElse(""));
    assertEquals("Updated", ArenaClient.json(read).get("name"));
    assertEquals(404, http.send(sending("/crud/items/999999", "PUT", change)).statusCode());
  }

  private static HttpRequest.Builder sending(String target, String method, String json) {
    return http.request(target)
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(json));
  }
}
