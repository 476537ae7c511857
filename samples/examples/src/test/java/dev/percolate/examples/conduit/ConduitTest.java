package dev.percolate.examples.conduit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.percolate.auth.Passwords;
import dev.percolate.examples.database.Stock;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The specification of the RealWorld API, in memory. */
final class ConduitTest {

  private static final String SECRET = "a secret of at least thirty-two bytes";
  private static final String EMPTY = "can't be empty";

  private final HikariDataSource pool =
      Stock.pool("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=PostgreSQL;DB_CLOSE_ON_EXIT=FALSE");
  private App app = new App();
  private String ann = "";
  private String bob = "";

  @BeforeAll
  static void hashingIsLoaded() { // takes seconds on a busy machine
    assertFalse(Passwords.argon2id().hash("secret").isEmpty());
  }

  @BeforeEach
  void register() throws Exception {
    app = Conduit.app(pool, SECRET).set("json spaces", 0);
    ann = register("ann");
    bob = register("bob");
  }

  @AfterEach
  void allConnectionsAreInThePool() {
    assertEquals(0, pool.getHikariPoolMXBean().getActiveConnections());
    pool.close();
  }

  private String register(String name) {
    Map<String, String> user =
        Map.of("username", name, "email", name + "@example.com", "password", "secret");
    Reply reply = Call.post("/api/users").json(Map.of("user", user)).to(app);
    assertEquals(201, reply.status(), reply::toString);
    return "Token " + at(reply, "user", "token");
  }

  private static Object at(Reply reply, Object... path) {
    Object found = reply.json(Map.class);
    for (Object step : path) {
      found = step instanceof Integer i ? ((List<?>) found).get(i) : ((Map<?, ?>) found).get(step);
    }
    return String.valueOf(found);
  }

  private static Call as(String token, Call call) {
    return call.header("Authorization", token);
  }

  private void assertErrors(int status, Map<String, ?> errors, Call call) {
    Reply reply = call.to(app);
    assertEquals(Map.of("errors", errors), reply.json(Map.class));
    assertEquals(status, reply.status());
  }

  private Reply write(String token, String title, String... tags) {
    Map<String, Object> article =
        Map.of("title", title, "description", "d", "body", "b", "tagList", tags);
    Call call = as(token, Call.post("/api/articles").json(Map.of("article", article)));
    return call.to(app);
  }

  @Test
  void itIsShort() throws Exception {
    Path folder = Path.of("src/main/java/dev/percolate/examples/conduit");
    long lines = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        boolean sql = false;
        for (String line : Files.readAllLines(file)) {
          boolean quotes = line.strip().equals("\"\"\"") || line.strip().equals("\"\"\";");
          lines += line.isBlank() || (sql && !quotes) ? 0 : 1;
          sql = quotes != sql;
        }
      }
    }
    assertTrue(lines <= 450, "lines: " + lines);
  }

  @Test
  void aUserLogsInAndChanges() {
    Call login = Call.post("/api/users/login");
    Map<String, String> right = Map.of("email", "ann@example.com", "password", "secret");
    Reply in = login.json(Map.of("user", right)).to(app);
    assertEquals("ann", at(in, "user", "username"));
    assertEquals("null", at(in, "user", "bio"));
    Map<String, String> wrong = Map.of("email", "ann@example.com", "password", "x");
    assertErrors(401, Map.of("credentials", List.of("invalid")), login.json(Map.of("user", wrong)));
    Call put = as(ann, Call.put("/api/user"));
    assertEquals("x", at(put.json(Map.of("user", Map.of("bio", "x"))).to(app), "user", "bio"));
    Reply renamed = put.json(Map.of("user", Map.of("username", "anna"))).to(app);
    assertEquals("anna", at(renamed, "user", "username"));
    assertEquals("x", at(renamed, "user", "bio"));
    Map<String, Object> noBio = Collections.singletonMap("bio", null);
    assertEquals("null", at(put.json(Map.of("user", noBio)).to(app), "user", "bio"));
    assertErrors(
        422,
        Map.of("username", List.of("has already been taken")),
        put.json(Map.of("user", Map.of("username", "bob"))));
  }

  @Test
  void invalidInputHasTheErrorsOfConduit() {
    Call register = Call.post("/api/users");
    assertErrors(
        422,
        Map.of("email", List.of(EMPTY), "password", List.of(EMPTY), "username", List.of(EMPTY)),
        register.json(Map.of("user", Map.of())));
    assertErrors(422, Map.of("user", List.of(EMPTY)), register.json(Map.of()));
    Reply malformed = register.header("Content-Type", "application/json").body("{").to(app);
    assertEquals(422, malformed.status());
    assertTrue(malformed.text().startsWith("{\"errors\":{\"body\":[\""), malformed::toString);
    Map<String, String> taken =
        Map.of("username", "eve", "email", "ann@example.com", "password", "x");
    assertErrors(
        422,
        Map.of("email", List.of("has already been taken")),
        register.json(Map.of("user", taken)));
    assertEquals(422, Call.get("/api/articles?limit=x").to(app).status());
    assertEquals(422, Call.get("/api/articles?limit=0").to(app).status());
  }

  @Test
  void requestsWithoutAUserAre401() {
    assertErrors(401, Map.of("body", List.of("Unauthorized")), Call.get("/api/user"));
    Reply reply = as("Token x", Call.get("/api/tags")).to(app);
    assertEquals(401, reply.status());
    assertTrue(String.valueOf(reply.header("WWW-Authenticate")).startsWith("Token "));
    assertErrors(404, Map.of("path", List.of("not found")), Call.get("/api/nothing"));
  }

  @Test
  void articlesAreWrittenFoundAndRemoved() {
    Reply written = write(ann, "How to train: Your Dragon!", "training", "dragons");
    assertEquals(201, written.status(), written::toString);
    assertEquals("how-to-train-your-dragon", at(written, "article", "slug"));
    assertEquals("[dragons, training]", at(written, "article", "tagList"));
    assertTrue(
        at(written, "article", "createdAt").toString().matches("....-..-..T..:..:..[.]...Z"));
    assertTrue(
        at(write(ann, "How to train your dragon"), "article", "slug")
            .toString()
            .startsWith("how-to-train-your-dragon-"));
    Reply all = Call.get("/api/articles?limit=1").to(app);
    assertEquals("2", at(all, "articlesCount"));
    assertFalse(all.text().contains("\"body\""), all::toString);
    for (String query : List.of("tag=dragons", "author=ann&offset=1")) {
      Reply found = Call.get("/api/articles?" + query).to(app);
      assertEquals("How to train: Your Dragon!", at(found, "articles", 0, "title"));
    }
    assertEquals("[]", at(Call.get("/api/articles?author=bob").to(app), "articles"));
    assertEquals("{\"tags\":[\"dragons\",\"training\"]}", Call.get("/api/tags").to(app).text());

    String path = "/api/articles/how-to-train-your-dragon";
    Call change = Call.put(path).json(Map.of("article", Map.of("title", "Dragons")));
    assertErrors(403, Map.of("article", List.of("forbidden")), as(bob, change));
    assertEquals("dragons", at(as(ann, change).to(app), "article", "slug"));
    assertErrors(404, Map.of("article", List.of("not found")), Call.get(path));
    assertEquals(403, as(bob, Call.delete("/api/articles/dragons")).to(app).status());
    assertEquals(204, as(ann, Call.delete("/api/articles/dragons")).to(app).status());
    assertEquals(404, as(ann, Call.delete("/api/articles/dragons")).to(app).status());
  }

  @Test
  void followersHaveAFeed() {
    assertEquals(201, write(ann, "One").status());
    assertEquals("0", at(as(bob, Call.get("/api/articles/feed")).to(app), "articlesCount"));
    Call follow = as(bob, Call.post("/api/profiles/ann/follow"));
    assertEquals("true", at(follow.to(app), "profile", "following"));
    assertEquals("true", at(follow.to(app), "profile", "following"));
    assertEquals("false", at(Call.get("/api/profiles/ann").to(app), "profile", "following"));
    Reply feed = as(bob, Call.get("/api/articles/feed")).to(app);
    assertEquals("true", at(feed, "articles", 0, "author", "following"));
    Reply gone = as(bob, Call.delete("/api/profiles/ann/follow")).to(app);
    assertEquals("false", at(gone, "profile", "following"));
    assertErrors(404, Map.of("profile", List.of("not found")), Call.get("/api/profiles/eve"));
  }

  @Test
  void articlesAreFavorites() {
    assertEquals(201, write(ann, "One").status());
    Call add = as(bob, Call.post("/api/articles/one/favorite"));
    assertEquals("1", at(add.to(app), "article", "favoritesCount"));
    assertEquals("true", at(add.to(app), "article", "favorited"));
    assertEquals("1", at(Call.get("/api/articles?favorited=bob").to(app), "articlesCount"));
    Reply gone = as(bob, Call.delete("/api/articles/one/favorite")).to(app);
    assertEquals("0", at(gone, "article", "favoritesCount"));
  }

  @Test
  void articlesHaveComments() {
    assertEquals(201, write(ann, "One").status());
    Call comments = Call.post("/api/articles/one/comments");
    Reply added = as(bob, comments.json(Map.of("comment", Map.of("body", "Thanks")))).to(app);
    assertEquals("1", at(added, "comment", "id"));
    assertErrors(
        422,
        Map.of("body", List.of(EMPTY)),
        as(bob, comments.json(Map.of("comment", Map.of("body", " ")))));
    Reply all = Call.get("/api/articles/one/comments").to(app);
    assertEquals("bob", at(all, "comments", 0, "author", "username"));
    assertEquals(403, as(ann, Call.delete("/api/articles/one/comments/1")).to(app).status());
    assertEquals(204, as(bob, Call.delete("/api/articles/one/comments/1")).to(app).status());
    assertErrors(
        404,
        Map.of("comment", List.of("not found")),
        as(bob, Call.delete("/api/articles/one/comments/1")));
  }
}
