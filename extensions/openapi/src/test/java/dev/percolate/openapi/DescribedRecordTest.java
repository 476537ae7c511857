package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.core.JsonCodec;
import dev.percolate.framework.App;
import dev.percolate.multipart.Upload;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Positive;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests forms and queries that are described by a record. */
class DescribedRecordTest {

  record Search(
      String text,
      List<Integer> tag,
      Optional<LocalDate> since,
      @Valid @Nullable Window page,
      @Max(100) @Nullable Integer size) {}

  record Window(int number, Torture.@Nullable Color color) {}

  record Entry(@NotBlank String title, List<@Valid Item> lines) {}

  record Item(String name, @Positive int price) {}

  record Album(String title, Upload cover, List<Upload> photos) {}

  private final App app = app();

  @BeforeAll
  static void load() {
    Torture.load();
  }

  private static App app() {
    App app = new App();
    app.get(
        "/search",
        Api.of("Searches").query(Search.class).strictQuery().response(200, String.class),
        (req, res) -> res.json(req.query(Search.class).text()));
    app.post(
        "/entries",
        Api.of("Adds").form(Entry.class).response(200, String.class),
        (req, res) -> res.json(req.form(Entry.class).title()));
    app.post(
        "/albums",
        Api.of("Adds").form(Album.class).response(200, int.class),
        (req, res) -> res.json(req.form(Album.class).photos().size()));
    return app;
  }

  @Test
  void queriesAreReadAndAllFaultsReported() {
    String fine = "text=tea&tag=1&tag=2&page%5Bnumber%5D=1&since=2026-01-02";
    assertEquals("\"tea\"", Call.get("/search?" + fine).to(app).text());
    assertEquals(
        List.of(
            "other is not known",
            "page[number] expected a whole number from -2147483648 to 2147483647",
            "tag[1] expected a whole number from -2147483648 to 2147483647",
            "text is missing"),
        RejectionTest.faults(Call.get("/search?tag=1&tag=x&page%5Bnumber%5D=y&other=1").to(app)));
    var tooMany = Call.get("/search?text=x&size=101").to(app);
    assertEquals(422, tooMany.status());
    assertEquals(List.of("size must be less than or equal to 100"), RejectionTest.faults(tooMany));
    Object errors = tooMany.json(Map.class).get("errors");
    assertEquals(
        Map.of(
            "parameter",
            "size",
            "code",
            "value.constraint",
            "detail",
            "must be less than or equal to 100"),
        first(errors));
  }

  @Test
  void formsAreReadAndAllFaultsReported() {
    Call fine = Call.post("/entries").form("title", "x").form("lines[0][name]", "tea");
    assertEquals("\"x\"", fine.form("lines[0][price]", "4").to(app).text());
    Call broken = Call.post("/entries").form("lines[0][name]", "tea").form("lines[0][price]", "z");
    var reply = broken.to(app);
    assertEquals(400, reply.status());
    assertEquals(
        List.of(
            "lines[0][price] expected a whole number from -2147483648 to 2147483647",
            "title is missing"),
        RejectionTest.faults(reply));
    Call wrong = Call.post("/entries").form("title", " ").form("lines[0][name]", "tea");
    reply = wrong.form("lines[0][price]", "0").to(app);
    assertEquals(422, reply.status());
    assertEquals(
        List.of("lines[0][price] must be greater than 0", "title must not be blank"),
        RejectionTest.faults(reply));
    assertEquals(415, Call.post("/entries").json(Map.of()).to(app).status());
    assertEquals(400, Call.post("/entries").to(app).status());
  }

  @Test
  void aRecordWithAFileIsAMultipartForm() {
    byte[] image = {1};
    Call call = Call.post("/albums").form("title", "x").file("photos", "a.png", "image/png", image);
    assertEquals(List.of("cover is missing"), RejectionTest.faults(call.to(app)));
    call = Call.post("/albums").form("title", "x").file("photos", "a.png", "image/png", image);
    assertEquals("1", call.file("cover", "c.png", "image/png", image).to(app).text());
  }

  @Test
  void theDocumentHasTheFields() {
    Map<String, Object> document = OpenApi.of(app).document();
    Map<?, ?> search = operation(document, "/search", "get");
    assertEquals(
        "[{\"name\":\"text\",\"in\":\"query\",\"required\":true,\"schema\":{\"type\":\"string\"}},"
            + "{\"name\":\"tag\",\"in\":\"query\",\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"integer\",\"format\":\"int32\"}}},"
            + "{\"name\":\"since\",\"in\":\"query\",\"schema\":{\"type\":\"string\",\"format\":\"date\"}},"
            + "{\"name\":\"page\",\"in\":\"query\",\"schema\":{\"$ref\":\"#/components/schemas/Window\"},\"style\":\"deepObject\",\"explode\":true},"
            + "{\"name\":\"size\",\"in\":\"query\",\"schema\":{\"type\":\"integer\",\"format\":\"int32\",\"maximum\":100}}]",
        text(search.get("parameters")));
    assertEquals(
        "{\"required\":true,\"content\":{\"application/x-www-form-urlencoded\":{\"schema\":{\"type\":\"object\",\"properties\":"
            + "{\"title\":{\"type\":\"string\",\"minLength\":1,\"pattern\":\"\\\\S\"},"
            + "\"lines\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Item\"}}},\"required\":[\"title\"]}}}}",
        text(operation(document, "/entries", "post").get("requestBody")));
    String file = "{\"type\":\"string\",\"contentMediaType\":\"application/octet-stream\"}";
    assertEquals(
        "{\"required\":true,\"content\":{\"multipart/form-data\":{\"schema\":{\"type\":\"object\",\"properties\":"
            + "{\"title\":{\"type\":\"string\"},\"cover\":FILE,\"photos\":{\"type\":\"array\",\"items\":FILE}},"
                .replace("FILE", file)
            + "\"required\":[\"title\",\"cover\"]}}}}",
        text(operation(document, "/albums", "post").get("requestBody")));
    assertNull(((Map<?, ?>) search.get("responses")).get("413"));
  }

  @Test
  void enumsHaveTheNamesOfTheDocument() {
    for (String color : List.of("RED", "dark-green", "GREEN", "green")) {
      Reply reply = Call.get("/search?text=a&page%5Bnumber%5D=1&page%5Bcolor%5D=" + color).to(app);
      assertEquals(200, reply.status(), reply.text());
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void onlyRecordsAreAccepted() {
    Class raw = String.class;
    assertEquals(
        "form(java.lang.String): must be a record",
        assertThrows(IllegalArgumentException.class, () -> use(Api.of("x").form(raw)))
            .getMessage());
  }

  private static void use(Api ignored) {}

  private static Map<?, ?> operation(Map<String, Object> document, String path, String verb) {
    return (Map<?, ?>) ((Map<?, ?>) ((Map<?, ?>) document.get("paths")).get(path)).get(verb);
  }

  private static Object first(Object list) {
    return ((List<?>) list).get(0);
  }

  private static String text(Object value) {
    return JsonCodec.find().write(value, JsonCodec.WriteOptions.COMPACT);
  }
}
