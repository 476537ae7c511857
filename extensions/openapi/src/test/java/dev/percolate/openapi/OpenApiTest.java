package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Settings;
import dev.percolate.framework.App;
import dev.percolate.json.JacksonCodec;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

class OpenApiTest {

  private final App app = Torture.app();

  private static @Nullable Object at(Object whole, String... path) {
    Object found = whole;
    for (String step : path) {
      found =
          found instanceof Map<?, ?> map
              ? map.get(step)
              : found instanceof List<?> list ? list.get(Integer.parseInt(step)) : null;
    }
    return found;
  }

  private static String text(@Nullable Object value) {
    return JsonCodec.find().write(value, JsonCodec.WriteOptions.COMPACT);
  }

  private @Nullable Object schema(String... path) {
    Object all = at(Torture.document(app).document(), "components", "schemas");
    return at(all == null ? Map.of() : all, path);
  }

  @Test
  void theDocumentIsServed() {
    app.use(Torture.document(app));
    Reply reply = Call.get("/openapi.json").to(app);
    assertEquals(200, reply.status());
    assertEquals("3.1.0", reply.json(Map.class).get("openapi"));
  }

  @Test
  void pathsIncludeRoutesAndMounts() {
    Object paths = Torture.document(app).document().get("paths");
    assertEquals(
        Set.of(
            "/everything",
            "/orders",
            "/limits",
            "/shapes/{id}/{part}",
            "/shapes/{id}",
            "/files/{name}",
            "/uploads",
            "/login",
            "/admin/things/{rest}"),
        ((Map<?, ?>) paths).keySet());
    Object admin = at(paths, "/admin/things/{rest}");
    assertEquals(Set.of("get", "post", "put", "patch", "delete"), ((Map<?, ?>) admin).keySet());
    assertEquals("[\"admin\"]", text(at(admin, "get", "tags")));
    assertEquals("[{\"token\":[]}]", text(at(admin, "get", "security")));
    assertEquals(Set.of("200", "401"), ((Map<?, ?>) at(admin, "get", "responses")).keySet());
  }

  @Test
  void undescribedRoutesAppearIfEnabled() {
    Object paths = Torture.document(app).includeUndescribed(true).document().get("paths");
    assertEquals("getAdminPlain", at(paths, "/admin/plain", "get", "operationId"));
    assertNull(at(Torture.document(app).document(), "paths", "/admin/plain"));
  }

  @Test
  void parametersHaveTheirTypes() {
    Object parameters =
        at(Torture.document(app).document(), "paths", "/shapes/{id}", "get", "parameters");
    assertEquals(
        "{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"integer\",\"format\":\"int64\"}}",
        text(at(parameters, "0")));
    assertEquals("Which page", at(parameters, "1", "description"));
    assertEquals("array", at(parameters, "2", "schema", "type"));
  }

  @Test
  void typesAreDescribedAsJacksonWritesThem() {
    assertEquals(
        "{\"type\":\"integer\",\"format\":\"int64\"}",
        text(schema("Everything", "properties", "big")));
    assertEquals("int8", schema("Everything", "properties", "small", "format"));
    assertEquals("int16", schema("Everything", "properties", "medium", "format"));
    assertEquals("char", schema("Everything", "properties", "sign", "format"));
    assertEquals(
        "{\"type\":\"string\",\"format\":\"uuid\"}",
        text(schema("Everything", "properties", "id")));
    assertEquals(
        "{\"type\":\"string\",\"format\":\"date-time\"}",
        text(schema("Everything", "properties", "time")));
    assertEquals(
        "{\"type\":[\"string\",\"null\"]}", text(schema("Everything", "properties", "optional")));
    assertEquals(
        "{\"type\":[\"string\",\"null\"]}", text(schema("Everything", "properties", "nullable")));
    assertEquals(
        "{\"type\":[\"array\",\"null\"],\"items\":{\"type\":[\"string\",\"null\"]}}",
        text(schema("Everything", "properties", "list")));
    assertEquals("{\"type\":\"string\"}", text(schema("Everything", "properties", "isbn")));
    assertEquals("{}", text(schema("Everything", "properties", "anything")));
    assertEquals("integer", schema("Everything", "properties", "width", "type"));
    assertEquals("integer", schema("Everything", "properties", "other-name", "type"));
    assertEquals(true, schema("Everything", "properties", "madeHere", "readOnly"));
    assertEquals(true, schema("Everything", "properties", "secret", "writeOnly"));
    assertEquals("[\"RED\",\"dark-green\"]", text(schema("Color", "enum")));
    List<?> required = (List<?>) schema("Everything", "required");
    assertTrue(required.contains("text") && required.contains("number"), required::toString);
    for (String optional : List.of("nullable", "optional", "list", "maybeColor")) {
      assertFalse(required.contains(optional), optional);
    }
  }

  @Test
  void sealedTypesHaveADiscriminator() {
    assertEquals(
        "{\"oneOf\":[{\"$ref\":\"#/components/schemas/Circle\"},{\"$ref\":\"#/components/schemas/Square\"}],"
            + "\"discriminator\":{\"propertyName\":\"kind\",\"mapping\":{\"Circle\":\"#/components/schemas/Circle\","
            + "\"Square\":\"#/components/schemas/Square\"}}}",
        text(schema("Shape")));
    assertEquals(
        "{\"type\":\"string\",\"const\":\"Circle\"}", text(schema("Circle", "properties", "kind")));
  }

  @Test
  void genericAndRecursiveTypesAreNamedOnce() {
    assertEquals(
        "{\"$ref\":\"#/components/schemas/Shape\"}",
        text(schema("PageShape", "properties", "items", "items")));
    assertEquals(
        "{\"$ref\":\"#/components/schemas/Node\"}",
        text(schema("Node", "properties", "children", "items")));
    assertEquals(
        "{\"anyOf\":[{\"$ref\":\"#/components/schemas/Node\"},{\"type\":\"null\"}]}",
        text(schema("Node", "properties", "parent")));
  }

  @Test
  void constraintsAreDescribed() {
    assertEquals(
        "{\"type\":\"string\",\"minLength\":1,\"pattern\":\"\\\\S\",\"maxLength\":20}",
        text(schema("Order", "properties", "customer")));
    assertEquals("email", schema("Order", "properties", "mail", "format"));
    assertEquals("^(?:[A-Z]{2}\\d+)$", schema("Order", "properties", "code", "pattern"));
    assertEquals("5", text(schema("Order", "properties", "stars", "maximum")));
    assertEquals("0.5", text(schema("Order", "properties", "weight", "minimum")));
    assertEquals("3", text(schema("Order", "properties", "lines", "maxItems")));
    assertEquals("0", text(schema("Line", "properties", "price", "exclusiveMinimum")));
  }

  @Test
  void namesAreThoseOfTheApplicationsMapper() {
    JsonMapper mapper =
        JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();
    app.set(Settings.JSON_CODEC, JacksonCodec.of(mapper));
    assertEquals(true, schema("Everything", "properties", "made_here", "readOnly"));
  }

  @Test
  void theDocumentIsUpdatedWhenRoutesChange() {
    app.use(Torture.document(app));
    String before = Call.get("/openapi.json").to(app).text();
    assertEquals(before, Call.get("/openapi.json").to(app).text());
    app.get("/late", Api.of("Late").response(204), (req, res) -> res.sendStatus(204));
    assertTrue(Call.get("/openapi.json").to(app).text().contains("\"/late\""));
  }

  @Test
  void theServerOfAMountedApplicationHasItsPath() {
    app.use(Torture.document(app));
    String alone = Call.get("/openapi.json").to(app).text();
    assertTrue(alone.contains("\"servers\":[{\"url\":\"/\"}]"), alone);
    App outer = new App().use("/api/", app);
    String mounted = Call.get("/api/openapi.json").to(outer).text();
    assertTrue(mounted.contains("\"servers\":[{\"url\":\"/api\"}]"), mounted);
    OpenApi elsewhere = Torture.document(app).server("https://example.org/v1");
    assertEquals("https://example.org/v1", at(elsewhere.document(), "servers", "0", "url"));
  }

  @Test
  void eachVersionHasItsDocument() {
    App all = new App();
    all.group("/v1", one -> one.get("/a", Api.of("a").response(204), (req, res) -> res.end()));
    all.group("/v2", two -> two.get("/b", Api.of("b").response(204), (req, res) -> res.end()));
    assertEquals(
        "{\"/v2/b\"}".replace("{", "[").replace("}", "]"),
        text(
            List.copyOf(
                ((Map<?, ?>) at(OpenApi.of(all).pathPrefix("/v2").document(), "paths")).keySet())));
  }

  @Test
  void pathsThatDifferInNamesAreOnePath() {
    App one = new App();
    Handler answer = (req, res) -> res.sendStatus(204);
    one.get("/books/:id/:part", Api.of("a").response(204), answer);
    Api numbered = Api.of("b").path("isbn", long.class).query("page", int.class).response(204);
    one.put("/books/:isbn/:section", numbered, answer);
    Object paths = OpenApi.of(one).document().get("paths");
    assertEquals(Set.of("/books/{id}/{part}"), ((Map<?, ?>) paths).keySet());
    Object parameters = at(paths, "/books/{id}/{part}", "put", "parameters");
    assertEquals("id", at(parameters, "0", "name"));
    assertEquals("integer", at(parameters, "0", "schema", "type"));
    assertEquals("part", at(parameters, "1", "name"));
    assertEquals("page", at(parameters, "2", "name"));
  }

  @Test
  void pathsThatOpenApiCannotExpressAreOmitted() {
    App one = new App();
    Api api = Api.of("x").response(204);
    Handler answer = (req, res) -> res.sendStatus(204);
    one.get(Pattern.compile("^/commits/(\\w+)"), api, answer);
    one.get("/a(b)?c", api, answer);
    one.get("/x+/:id", api, answer);
    one.get("/plain", api, answer);
    Object paths = OpenApi.of(one).includeUndescribed(true).document().get("paths");
    assertEquals(Set.of("/plain"), ((Map<?, ?>) paths).keySet());
  }

  /** Row RES-12. */
  @Test
  void thePageLoadsOnlyFilesOfItsServer() {
    app.use(Torture.document(app).title("</title><script>").docs("/docs"));
    Reply page = Call.get("/docs").to(app);
    assertTrue(page.text().contains("<title>&lt;/title&gt;&lt;script&gt;</title>"), page.text());
    assertEquals(200, page.status());
    assertTrue(page.text().contains("data-document=\"/openapi.json\""), page.text());
    assertFalse(page.text().contains("http"), page.text());
    assertEquals(DocsPage.POLICY, page.header("Content-Security-Policy"));
    assertEquals(200, Call.get("/docs/swagger-ui.css").to(app).status());
    assertEquals(200, Call.get("/docs/page.css").to(app).status());
    assertEquals(200, Call.get("/docs/swagger-ui-bundle.js").to(app).status());
    assertTrue(Call.get("/docs/start.js").to(app).text().contains("SwaggerUIBundle"));
    assertEquals(404, Call.get("/docs/index.html").to(app).status());
    assertEquals(404, Call.get("/docsx").to(app).status());
    assertThrows(IllegalArgumentException.class, () -> OpenApi.of(app).path("docs").document());
  }
}
