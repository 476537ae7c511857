package dev.percolate.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.json.JacksonCodec;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the client for TypeScript; {@code extensions/openapi/try} compiles and calls it. */
final class TypeScriptTest {

  enum Size {
    S,
    L
  }

  record Line(String article, int count) {}

  record Order(long id, List<Line> lines, @Nullable Size size, Map<String, Double> prices) {}

  private static App app() {
    App app = new App();
    app.get(
        "/orders/:id",
        Api.of("Returns */ an order").path("id", long.class).response(200, Order.class),
        (req, res) -> res.end());
    app.get(
        "/orders",
        Api.of("Lists orders").query("page", int.class).response(200, String.class),
        (req, res) -> res.end());
    app.post(
        "/orders",
        Api.of("Adds an order").body(Order.class).response(201, Order.class).response(204),
        (req, res) -> res.end());
    app.put(
        "/photo",
        Api.of("Sets the photo").file("photo").formRequired("name", String.class).response(204),
        (req, res) -> res.end());
    app.get(
        "/photo",
        Api.of("Returns the photo")
            .response(200, "image/*", byte[].class)
            .operationId("load photo"),
        (req, res) -> res.end());
    return app;
  }

  private static String client() {
    return OpenApi.of(app()).title("Shop").version("2").toTypeScript();
  }

  private static void assertContains(String part) {
    assertTrue(client().contains(part), TypeScriptTest::client);
  }

  @Test
  void typesAreMembersOfOneInterface() {
    assertTrue(client().startsWith("// The client of Shop, version 2. Generated; do not edit.\n"));
    assertContains(
        """
          "Line": {
            "article": string
            "count": number
          }
          "Order": {
            "id": number
            "lines"?: Array<Types["Line"]> | null
            "size"?: Types["Size"] | null
            "prices": { [name: string]: number }
          }
        """);
    assertContains("  \"Size\": \"S\" | \"L\"\n}\n");
  }

  @Test
  void operationsAreMethods() {
    assertContains(
        """
          /** Returns * / an order */
          getOrdersById (input: { path: { "id": number } }, signal?: AbortSignal): Promise<Types["Order"]> {
            return this.send("GET", "/orders/{id}", "", input, signal) as Promise<Types["Order"]>
          }
        """);
    assertContains(
        "getOrders (input: { query?: { \"page\"?: number } } = {}, signal?: AbortSignal):"
            + " Promise<string> {");
    assertContains(
        "postOrders (input: { body: Types[\"Order\"] }, signal?: AbortSignal):"
            + " Promise<Types[\"Order\"] | undefined> {");
    assertContains("this.send(\"POST\", \"/orders\", \"application/json\", input, signal)");
    assertContains("putPhoto (input: { form: {");
    assertContains("this.send(\"PUT\", \"/photo\", \"multipart/form-data\", input, signal)");
    assertContains("\"photo\": Blob\n");
    assertContains("load_photo (signal?: AbortSignal): Promise<Blob> {");
    assertContains("this.send(\"GET\", \"/photo\", \"\", {}, signal)");
  }

  @Test
  void aChangedRouteChangesTheClient() {
    App app = app();
    String before = OpenApi.of(app).toTypeScript();
    app.delete("/orders/:id", Api.of("Removes an order").response(204), (req, res) -> res.end());
    String after = OpenApi.of(app).toTypeScript();
    assertFalse(before.contains("deleteOrdersById"));
    assertTrue(after.contains("deleteOrdersById (input: { path: { \"id\": string } }"), after);
  }

  @Test
  void propertiesOfOneDirectionAreOptional() {
    JacksonCodec codec = new JacksonCodec();
    Object schema =
        codec.read(
            ("{'type':'object','required':['id','title'],'properties':"
                    + "{'id':{'type':'string','readOnly':true},'title':{'type':'string'}}}")
                .replace('\'', '"'));
    assertEquals(
        "{\n  \"id\"?: string\n  \"title\": string\n}", new TypeScriptType(codec).of(schema, ""));
  }

  @Test
  void itIsServedInDevelopmentOnly() {
    App app = app();
    app.use(OpenApi.of(app).typeScript("/client.ts"));
    Reply reply = Call.get("/client.ts").to(app);
    assertEquals(200, reply.status());
    assertEquals("text/plain; charset=utf-8", reply.header("Content-Type"));
    assertEquals(OpenApi.of(app).toTypeScript(), reply.text());
    app.set("env", "production");
    assertEquals(404, Call.get("/client.ts").to(app).status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{} | unknown",
        "true | unknown",
        "{'type':'integer'} | number",
        "{'type':['string','null']} | string | null",
        "{'enum':['a',null]} | \"a\" | null",
        "{'const':true} | true",
        "{'anyOf':[{'$ref':'#/components/schemas/A'},{'type':'null'}]} | Types[\"A\"] | null",
        "{'type':'array','items':{'type':['number','null']}} | Array<number | null>",
        "{'type':'object'} | { [name: string]: unknown }",
        "{'type':'object','additionalProperties':{'type':'boolean'}} | { [name: string]: boolean }"
      })
  void schemasAreTypes(String row) {
    String[] parts = row.split(" \\| ", 2);
    JacksonCodec codec = new JacksonCodec();
    Object schema = codec.read(parts[0].replace('\'', '"'));
    assertEquals(parts[1], new TypeScriptType(codec).of(schema, ""), Arrays.toString(parts));
  }
}
