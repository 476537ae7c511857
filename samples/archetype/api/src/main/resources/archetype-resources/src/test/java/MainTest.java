package ${package};

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorHandler;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls the whole application in memory, without a socket. */
final class MainTest {

  private Database database;
  private App app;

  @BeforeEach
  void open() throws Exception {
    database = Database.open(Database.inMemory(UUID.randomUUID().toString()));
    app = Main.app(database, UUID.randomUUID().toString());
  }

  @AfterEach
  void close() {
    database.close();
  }

  private static Map<String, String> account(String password) {
    return Map.of("name", "ann", "password", password);
  }

  private Call asAnn(Call call) {
    Call.post("/accounts").json(account("correct horse")).to(app);
    Reply reply = Call.post("/login").json(account("correct horse")).to(app);
    return call.header("Authorization", "Bearer " + reply.json(Map.class).get("token"));
  }

  @Test
  void aUserAddsListsAndRemovesNotes() {
    Reply added = asAnn(Call.post("/notes")).json(Map.of("text", "Buy milk")).to(app);
    assertEquals(201, added.status(), added::toString);
    Reply list = asAnn(Call.get("/notes")).to(app);
    assertTrue(list.text().contains("Buy milk"), list::toString);
    String path = added.header("Location");
    assertEquals(204, asAnn(Call.delete(path)).to(app).status());
    assertEquals(404, asAnn(Call.delete(path)).to(app).status());
  }

  @Test
  void notesRequireAToken() {
    Reply reply = Call.get("/notes").to(app);
    assertEquals(401, reply.status());
    assertTrue(reply.header("WWW-Authenticate").startsWith("Bearer "), reply::toString);
  }

  @Test
  void wrongPasswordsAreRejected() {
    assertEquals(204, Call.post("/accounts").json(account("correct horse")).to(app).status());
    assertEquals(409, Call.post("/accounts").json(account("correct horse")).to(app).status());
    assertEquals(401, Call.post("/login").json(account("wrong")).to(app).status());
  }

  @Test
  void invalidInputIsAProblem() {
    Reply reply = Call.post("/accounts").json(account("short")).to(app);
    assertEquals(422, reply.status());
    assertTrue(reply.text().contains("/password"), reply::toString);
  }

  @Test
  void valuesThatNoColumnCanHoldAreInvalid() {
    String sql = "insert into account (name, password) values (?, ?)";
    App app = new App();
    app.get("/", (req, res) -> database.insert(sql, "x".repeat(101), "x"));
    app.use(ErrorHandler.of(SQLException.class, Database::reject));
    assertEquals(422, Call.get("/").to(app).status());
  }

  @Test
  void theDocumentShowsTheTokens() {
    Reply reply = Call.get("/openapi.json").to(app);
    assertTrue(reply.text().contains("\"bearerFormat\""), reply::toString);
  }
}
