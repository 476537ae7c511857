package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.TypeRef;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResponseCheckTest {

  record Book(int id, String title) {}

  private static App app(Handler handler) {
    App app = new App().set("json spaces", 0);
    Api api =
        Api.of("Books")
            .response(200, new TypeRef<List<Book>>() {})
            .response(201, Book.class)
            .response(404);
    app.get("/books", api, handler);
    return app;
  }

  private static String warning(Handler handler) {
    App app = app(handler);
    return String.valueOf(
        assertThrows(AssertionError.class, () -> Call.get("/books").to(app)).getMessage());
  }

  @Test
  void declaredResponsesPass() {
    assertEquals(
        200,
        Call.get("/books").to(app((req, res) -> res.json(List.of(new Book(1, "x"))))).status());
    assertEquals(
        201, Call.get("/books").to(app((req, res) -> res.json(201, new Book(1, "x")))).status());
    assertEquals(404, Call.get("/books").to(app((req, res) -> res.sendStatus(404))).status());
    assertEquals(404, Call.get("/nowhere").to(app((req, res) -> res.end())).status());
    assertEquals(
        405, Call.post("/nowhere").to(new App().use((req, res) -> res.sendStatus(405))).status());
  }

  @Test
  void anUndeclaredStatusIsReportedWithTheDeclaredOnes() {
    String message = warning((req, res) -> res.sendStatus(202));
    assertTrue(message.startsWith("GET /books (/books): the response does not match"), message);
    assertTrue(message.contains("status 202 is not declared"), message);
    assertTrue(message.contains("declared: status 200, 201, 404"), message);
    assertTrue(message.contains("sent:     status 202"), message);
  }

  @Test
  void missingAndMistypedPropertiesAreReportedWithTheSchema() {
    String message = warning((req, res) -> res.json(List.of(Map.of("id", "7"))));
    assertTrue(message.contains("/0/title: is missing"), message);
    assertTrue(message.contains("/0/id: expected a whole number"), message);
    assertTrue(message.contains("[{\"id\":\"7\"}]"), message);
    message = warning((req, res) -> res.json(201, Map.of("id", 1)));
    assertTrue(message.contains("\"required\":[\"id\",\"title\"]"), message);
  }

  @Test
  void anUndeclaredMediaTypeIsReported() {
    String message = warning((req, res) -> res.send("<p>"));
    assertTrue(message.contains("declared: 200 application/json"), message);
    assertTrue(message.contains("sent:     200 text/html"), message);
  }

  @Test
  void chunkedBodiesAreCheckedAsAWhole() {
    String message =
        warning(
            (req, res) -> {
              res.type("json").write("[{\"id\":");
              res.end("1}]");
            });
    assertTrue(message.contains("/0/title: is missing"), message);
  }

  @Test
  void nothingIsCheckedInProductionOrIfDisabled() {
    App production = app((req, res) -> res.sendStatus(202)).set("env", "production");
    assertEquals(202, Call.get("/books").to(production).status());
    App off = app((req, res) -> res.sendStatus(202)).set(Api.CHECK_RESPONSES, false);
    assertEquals(202, Call.get("/books").to(off).status());
  }

  @Test
  void outerDescriptionsAddToThatOfTheRoute() {
    App app = new App();
    app.use(Api.of("Needs a token").response(401));
    app.get("/", Api.of("x").response(200), (req, res) -> res.sendStatus(401));
    app.get("/undescribed", (req, res) -> res.sendStatus(203));
    assertEquals(401, Call.get("/").to(app).status());
    assertEquals(203, Call.get("/undescribed").to(app).status());
  }

  @Test
  void writeOnlyPropertiesMustNotBeSent() {
    Map<String, Object> answer = new HashMap<>();
    answer.put("name", "ann");
    answer.put("password", "x");
    App app = new App();
    app.get("/", Api.of("x").response(200, User.class), (req, res) -> res.json(answer));
    AssertionError error = assertThrows(AssertionError.class, () -> Call.get("/").to(app));
    assertTrue(String.valueOf(error.getMessage()).contains("/password: must not be sent"));
  }

  record User(
      String name,
      @com.fasterxml.jackson.annotation.JsonProperty(
              access = com.fasterxml.jackson.annotation.JsonProperty.Access.WRITE_ONLY)
          String password) {}
}
