package dev.percolate.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EntriesApiTest {

  private static final String ENTRY = "{\"name\":\"Ann\",\"message\":\"Zoë was here\"}";

  private final OpenBook book = new OpenBook();

  EntriesApiTest() throws SQLException, IOException {}

  @AfterEach
  void close() {
    book.close();
  }

  @Test
  void anEntryIsAddedAndFound() {
    Reply added = post("application/json", ENTRY);
    assertEquals(201, added.status());
    assertEquals("/api/entries/1", added.header("Location"));
    Map<String, Object> entry =
        Map.of(
            "id", 1,
            "name", "Ann",
            "message", "Zoë was here",
            "writtenAt", "2026-11-21T16:05:06.789Z");
    assertEquals(entry, OpenBook.json(added));
    Reply found = book.get("/api/entries/1");
    assertEquals("application/json; charset=utf-8", found.header("Content-Type"));
    assertEquals(entry, OpenBook.json(found));
    assertTrue(book.get("/").text().contains("Zoë was here"));
  }

  @Test
  void theListIsPagedNewestFirst() throws SQLException, IOException {
    for (int i = 1; i <= 5; i++) {
      book.entries().add("Guest", "m" + i);
    }
    Reply first = book.get("/api/entries?limit=2");
    assertEquals(List.of(5, 4), ids(first));
    assertEquals(4, ((Map<?, ?>) OpenBook.json(first)).get("older"));
    assertEquals("</api/entries?before=4&limit=2>; rel=\"next\"", first.header("Link"));
    Reply last = book.get("/api/entries?before=2&limit=2");
    assertEquals(List.of(1), ids(last));
    assertTrue(((Map<?, ?>) OpenBook.json(last)).containsKey("older"));
    assertNull(((Map<?, ?>) OpenBook.json(last)).get("older"));
    assertNull(last.header("Link"));
  }

  @Test
  void invalidEntriesAreProblemsWithErrors() throws SQLException, IOException {
    Reply blank = post("application/json", "{\"name\":\"Ann\",\"message\":\" \"}");
    assertEquals(422, blank.status());
    assertProblem(blank);
    assertEquals(
        List.of(
            Map.of(
                "pointer",
                "/message",
                "code",
                "value.constraint",
                "detail",
                "Please write a few words.")),
        errors(blank));
    Reply missing = post("application/json", "{\"name\":7}");
    assertEquals(400, missing.status());
    assertEquals(
        List.of(
            Map.of("pointer", "/name", "code", "value.invalid", "detail", "expected a string"),
            Map.of("pointer", "/message", "code", "value.missing", "detail", "is missing")),
        errors(missing));
    assertEquals(400, post("application/json", "[]").status());
    assertEquals(0, book.entries().count());
  }

  @Test
  void badJsonIs400() {
    Reply reply = post("application/json", "{\"name\":");
    assertEquals(400, reply.status());
    assertProblem(reply);
  }

  @Test
  void onlyJsonIsAccepted() throws SQLException, IOException {
    for (String type : new String[] {"text/plain", OpenBook.FORM, "application/xml"}) {
      Reply reply = post(type, ENTRY);
      assertEquals(415, reply.status(), type);
      assertProblem(reply);
    }
    assertEquals(201, post("application/json; charset=utf-8", ENTRY).status());
    assertEquals(1, book.entries().count());
  }

  @Test
  void missingEntriesAreProblems() {
    for (String path : new String[] {"/api/entries/7", "/api/entries/x", "/api/entries/1/2"}) {
      Reply reply = book.get(path);
      assertEquals(404, reply.status(), path);
      assertProblem(reply);
    }
  }

  @Test
  void limitAndBeforeAreValidated() {
    for (String query :
        new String[] {"limit=0", "limit=101", "limit=-1", "limit=1e1", "before=x"}) {
      assertEquals(400, book.get("/api/entries?" + query).status(), query);
    }
    assertEquals(200, book.get("/api/entries?limit=100").status());
  }

  @Test
  void readersGetNoCookie() {
    assertNull(book.get("/api/entries").header("Set-Cookie"));
  }

  @Test
  void writingIsRateLimited() {
    Reply reply = post("application/json", "{}");
    for (int i = 0; reply.status() == 400 && i < 600; i++) {
      reply = post("application/json", "{}");
    }
    assertEquals(429, reply.status());
    assertProblem(reply);
    assertTrue(Integer.parseInt(String.valueOf(reply.header("Retry-After"))) > 0);
  }

  @Test
  void theDocumentDescribesOnlyTheApi() {
    Map<?, ?> document = (Map<?, ?>) OpenBook.json(book.get("/openapi.json"));
    Map<?, ?> paths = (Map<?, ?>) document.get("paths");
    assertEquals(Set.of("/api/entries", "/api/entries/{id}"), paths.keySet());
    assertEquals(Set.of("get", "post"), ((Map<?, ?>) paths.get("/api/entries")).keySet());
    Map<?, ?> schemas = (Map<?, ?>) ((Map<?, ?>) document.get("components")).get("schemas");
    assertEquals(Set.of("Entry", "NewEntry", "Page", "Problem"), schemas.keySet());
    Reply page = book.get("/docs");
    assertEquals(200, page.status());
    assertNull(page.header("Set-Cookie"));
    String policy = String.valueOf(page.header("Content-Security-Policy"));
    assertTrue(policy.startsWith("default-src 'none'; script-src 'self';"), policy);
  }

  private static void assertProblem(Reply reply) {
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals(reply.status(), ((Map<?, ?>) OpenBook.json(reply)).get("status"));
  }

  private static Object errors(Reply reply) {
    return ((Map<?, ?>) OpenBook.json(reply)).get("errors");
  }

  private static List<Object> ids(Reply reply) {
    List<?> entries = (List<?>) ((Map<?, ?>) OpenBook.json(reply)).get("entries");
    return entries.stream().<Object>map(entry -> ((Map<?, ?>) entry).get("id")).toList();
  }

  private Reply post(String type, String body) {
    return Call.post("/api/entries").header("Content-Type", type).body(body).to(book.app());
  }
}
