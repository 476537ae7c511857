package dev.percolate.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CatalogTest {

  private final App app = Catalog.app();

  private Reply add(String title) {
    return Call.post("/books")
        .json(Map.of("title", title, "authors", List.of("Jane Austen"), "year", 1815))
        .to(app);
  }

  @Test
  void booksAreAddedReadReplacedAndRemoved() {
    Reply added = add("Emma");
    assertEquals(201, added.status(), added.text());
    assertEquals("/books/1", added.header("Location"));
    Reply replaced =
        Call.put("/books/1")
            .json(
                Map.of("title", "Emma", "authors", List.of("J. A."), "year", 1816, "form", "AUDIO"))
            .to(app);
    assertEquals(200, replaced.status(), replaced.text());
    Map<?, ?> book = Call.get("/books/1").to(app).json(Map.class);
    assertEquals(1816, book.get("year"));
    assertEquals("AUDIO", book.get("form"));
    assertEquals(204, Call.delete("/books/1").to(app).status());
    Reply gone = Call.get("/books/1").to(app);
    assertEquals(404, gone.status());
    assertEquals("application/problem+json", gone.header("Content-Type"));
  }

  @Test
  void booksComeInPages() {
    for (String title : List.of("a", "b", "c")) {
      assertEquals(201, add(title).status());
    }
    Map<?, ?> first = Call.get("/books?size=2").to(app).json(Map.class);
    assertEquals(3, first.get("total"));
    assertEquals("/books?page=2&size=2", first.get("next"));
    Map<?, ?> second = Call.get("/books?page=2&size=2").to(app).json(Map.class);
    assertEquals(1, ((List<?>) second.get("items")).size());
    assertNull(second.get("next"));
    assertEquals(0, Call.get("/books?form=paper").to(app).json(Map.class).get("total"));
    for (int id = 1; id < 3; id++) {
      Map<String, Object> book =
          Map.of("title", "a", "authors", List.of("b"), "year", 1815, "form", "AUDIO");
      assertEquals(200, Call.put("/books/" + id).json(book).to(app).status());
    }
    Map<?, ?> audio = Call.get("/books?form=audio&size=1").to(app).json(Map.class);
    assertEquals("/books?page=2&size=1&form=AUDIO", audio.get("next"));
    assertEquals(400, Call.get("/books?page=first").to(app).status());
  }

  @Test
  void invalidInputIsReportedWithItsPath() {
    Reply form = Call.post("/books").json(Map.of("title", 1, "authors", List.of())).to(app);
    assertEquals(400, form.status());
    assertTrue(form.text().contains("/title") && form.text().contains("/year"), form.text());
    Reply rules =
        Call.post("/books").json(Map.of("title", " ", "authors", List.of(""), "year", 1)).to(app);
    assertEquals(422, rules.status());
    for (String pointer : List.of("/title", "/authors/0", "/year")) {
      assertTrue(rules.text().contains("\"" + pointer + "\""), rules.text());
    }
    assertEquals(400, Call.get("/books/first").to(app).status());
  }

  @Test
  void coversAreUploadedAndShown() {
    byte[] image = {1, 2, 3};
    assertEquals(201, add("Emma").status());
    assertEquals(404, Call.get("/books/1/cover").to(app).status());
    assertEquals(
        204,
        Call.put("/books/1/cover").file("cover", "c.png", "image/png", image).to(app).status());
    assertArrayEquals(image, Call.get("/books/1/cover").to(app).bytes());
    assertEquals(
        400,
        Call.put("/books/1/cover").file("other", "c.png", "image/png", image).to(app).status());
  }

  @Test
  void publishesItsDescription() {
    Map<?, ?> document = Call.get("/openapi.json").to(app).json(Map.class);
    assertEquals(3, ((Map<?, ?>) document.get("paths")).size());
    assertEquals(200, Call.get("/docs").to(app).status());
  }
}
