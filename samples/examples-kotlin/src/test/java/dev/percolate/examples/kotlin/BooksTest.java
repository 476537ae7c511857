package dev.percolate.examples.kotlin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.TypeRef;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BooksTest {

  private static final TypeRef<List<Map<String, Object>>> BOOKS = new TypeRef<>() {};

  private final App app = BooksKt.app();

  @Test
  void theRouteHandlesItsVerbs() {
    Reply made = Call.post("/books").form("title", "Emma").to(app);
    assertEquals(201, made.status());
    assertEquals("/books/1", made.header("Location"));
    assertEquals("/books", made.header("X-Asked"));
    assertEquals(List.of(Map.of("id", 1, "title", "Emma")), Call.get("/books").to(app).json(BOOKS));
    Reply rejected = Call.post("/books").form("name", "Emma").to(app);
    assertEquals("form field \"title\" is missing", rejected.json(Map.class).get("error"));
    assertEquals(400, rejected.status());
  }

  @Test
  void theGroupChecksTheKey() {
    assertEquals(403, Call.delete("/admin/books").to(app).status());
    assertEquals(204, Call.delete("/admin/books").header("X-Key", "sesame").to(app).status());
  }

  @Test
  void itServes() throws Exception {
    try (Server server = app.listen()) {
      assertEquals("[]", Call.get("/books").to(server.uri()).text());
    }
  }
}
