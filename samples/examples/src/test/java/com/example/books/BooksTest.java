package com.example.books;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.auth.Passwords;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls the application in memory, with a database in memory for each test. */
final class BooksTest {

  private static final Map<String, ?> DUNE =
      Map.of("title", "Dune", "author", "Frank Herbert", "pages", 412);

  private Database database;
  private App app;

  @BeforeAll
  static void loadPasswords() { // the first hash takes seconds on a busy machine
    assertTrue(Passwords.argon2id().hash("secret").startsWith("$argon2id$"));
  }

  @BeforeEach
  void open() throws Exception {
    database = Database.open("jdbc:h2:mem:" + UUID.randomUUID());
    app = Main.app(database, "a secret of at least thirty-two bytes");
  }

  @AfterEach
  void close() {
    database.close();
  }

  /** Registers a reader, and returns the header of its token. */
  private String token(String name) {
    Map<String, String> reader = Map.of("name", name, "password", "correct horse");
    assertEquals(204, Call.post("/readers").json(reader).to(app).status());
    Reply reply = Call.post("/login").json(reader).to(app);
    return "Bearer " + reply.json(Map.class).get("token");
  }

  private Reply as(String token, Call call) {
    return call.header("Authorization", token).to(app);
  }

  @Test
  void aReaderAddsReadsAndRemovesABook() {
    String ann = token("ann");
    Reply added = as(ann, Call.post("/books").json(DUNE));
    assertEquals("201 /books/1", added.status() + " " + added.header("Location"));
    Reply changed = as(ann, Call.patch("/books/1").json(Map.of("page", 120)));
    assertEquals(120, changed.json(Map.class).get("page"));
    assertTrue(as(ann, Call.get("/books")).text().contains("Dune"));
    assertEquals(204, as(ann, Call.delete("/books/1")).status());
    assertEquals(404, as(ann, Call.get("/books/1")).status());
  }

  @Test
  void otherReadersCannotSeeOrChangeABook() {
    assertEquals(201, as(token("ann"), Call.post("/books").json(DUNE)).status());
    String bob = token("bob");
    assertEquals(List.of(), as(bob, Call.get("/books")).json(List.class));
    assertEquals(404, as(bob, Call.get("/books/1")).status());
    assertEquals(404, as(bob, Call.patch("/books/1").json(Map.of("page", 1))).status());
    assertEquals(404, as(bob, Call.delete("/books/1")).status());
  }

  @Test
  void booksNeedAToken() {
    assertEquals(401, Call.get("/books").to(app).status());
    assertEquals(401, as("Bearer x.y.z", Call.get("/books")).status());
    Reply login = Call.post("/login").json(Map.of("name", "ann", "password", "wrong")).to(app);
    assertEquals("401 Bearer", login.status() + " " + login.header("WWW-Authenticate"));
  }

  @Test
  void invalidInputIsRejected() {
    String ann = token("ann");
    Reply reply = as(ann, Call.post("/books").json(Map.of("title", "", "author", "A", "pages", 0)));
    assertEquals(422, reply.status());
    assertTrue(reply.text().contains("/title"), reply::toString);
    assertTrue(reply.text().contains("/pages"), reply::toString);
    assertEquals(201, as(ann, Call.post("/books").json(DUNE)).status());
    Reply tooFar = as(ann, Call.patch("/books/1").json(Map.of("page", 500)));
    assertEquals("The book has only 412 pages", tooFar.json(Map.class).get("detail"));
  }

  @Test
  void aPageOfTheListLinksToTheNextOne() {
    String ann = token("ann");
    for (int i = 0; i < 3; i++) {
      assertEquals(201, as(ann, Call.post("/books").json(DUNE)).status());
    }
    Reply first = as(ann, Call.get("/books?limit=2"));
    assertEquals("</books?after=2&limit=2>; rel=\"next\"", first.header("Link"));
    assertEquals(1, as(ann, Call.get("/books?after=2&limit=2")).json(List.class).size());
  }

  @Test
  void middlewareIsInTheRightOrder() {
    assertEquals(List.of(), app.lint());
  }
}
