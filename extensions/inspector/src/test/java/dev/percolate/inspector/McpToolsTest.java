package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Settings;
import dev.percolate.engine.ThreadMode;
import dev.percolate.framework.App;
import dev.percolate.http.Headers;
import dev.percolate.http.JsonText;
import dev.percolate.logger.RequestLogger;
import dev.percolate.openapi.Api;
import dev.percolate.openapi.OpenApi;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class McpToolsTest {

  private static final System.Logger LOG = System.getLogger("com.example.Shop");

  private final App app = new App().use(Inspector.inDevelopment()).set("json spaces", 0);

  record Book(String title, int year) {}

  @Test
  void eachToolHasATitleADescriptionAndSchemas() {
    List<Map<String, Object>> tools = new McpTools(new Recordings()).definitions();
    assertEquals(12, tools.size());
    for (Map<String, Object> tool : tools) {
      assertTrue(String.valueOf(tool.get("name")).matches("[a-z_]+"), tool::toString);
      assertTrue(String.valueOf(tool.get("description")).length() > 60, tool::toString);
      assertEquals(false, ((Map<?, ?>) tool.get("inputSchema")).get("additionalProperties"));
      assertEquals("object", ((Map<?, ?>) tool.get("outputSchema")).get("type"));
      boolean changes = "send_request".equals(tool.get("name"));
      assertEquals(changes ? null : Map.of("readOnlyHint", true), tool.get("annotations"));
    }
  }

  @Test
  void appMapNamesLayersAndLines() {
    app.use("/admin", new App().get("/users", (req, res) -> res.send("x")));
    Map<?, ?> result = call("app_map", Map.of());
    assertTrue(text(result).contains("  get     /admin/users "), text(result));
    assertTrue(text(result).contains(" at McpToolsTest.java:"), text(result));
    assertEquals(app.map().value(), value(result).get("layers"));
  }

  @Test
  void explainRequestNamesTheReason() {
    app.get("/users/:id", (req, res) -> res.send("x"));
    Map<?, ?> result = call("explain_request", Map.of("method", "GET", "target", "/user/7?a=1"));
    assertTrue(text(result).contains("nearest: get /users/:id at McpToolsTest"), text(result));
    assertEquals("/user/7", value(result).get("path"));
  }

  @Test
  void lintNamesMistakes() {
    assertEquals("No mistakes found.", text(call("lint", Map.of())));
    app.get("/u/:id", (req, res) -> res.send("x")).get("/u/new", (req, res) -> res.send("x"));
    Map<?, ?> result = call("lint", Map.of());
    assertTrue(text(result).startsWith("unreachable-route: get /u/new at "), text(result));
    assertEquals(app.lint(), value(result).get("warnings"));
  }

  @Test
  @DisplayName("DEV-08: settings whose names indicate secrets are masked")
  void settingsAreMasked() {
    app.set("title", "Shop").set("db password", "hunter2").set("etag", "strong");
    Map<?, ?> settings = (Map<?, ?>) value(call("settings", Map.of())).get("settings");
    assertEquals("Shop", settings.get("title"));
    assertEquals("strong", settings.get("etag"));
    assertEquals("masked", settings.get("db password"));
    assertEquals("development", settings.get(Settings.ENV.name()));
  }

  @Test
  void listRequestsFindsRequests() {
    app.get("/ok", (req, res) -> res.send("x"));
    app.get(
        "/boom",
        (req, res) -> {
          throw new IllegalStateException("a");
        });
    for (String target : List.of("/ok?1", "/boom", "/ok?2")) {
      Call.get(target).to(app);
    }
    assertEquals(List.of("/ok?2", "/boom", "/ok?1"), targets(Map.of()));
    assertEquals(List.of("/ok?2"), targets(Map.of("limit", 1)));
    assertEquals(List.of("/boom"), targets(Map.of("failed", true)));
    assertEquals(List.of("/ok?1"), targets(Map.of("filter", "GET /ok?1 200")));
    String text = text(call("list_requests", Map.of("failed", true)));
    assertTrue(text.matches("(?s)\\d+: GET /boom 500, \\d+ µs java.lang.Ill.*: a\\n"), text);
    Map<?, ?> result = call("list_requests", Map.of("timeline", true, "filter", "/boom"));
    assertTrue(text(result).contains("\"threw\":\"java.lang.IllegalStateException: a\""));
  }

  private List<?> targets(Map<String, ?> arguments) {
    List<?> requests = (List<?>) value(call("list_requests", arguments)).get("requests");
    return requests.stream().map(one -> ((Map<?, ?>) one).get("target")).toList();
  }

  @Test
  @DisplayName("DEV-08: secrets of recorded requests are masked")
  void getRequestMasksSecrets() {
    app.use(BodyParsers.json()).post("/x", (req, res) -> res.set("Set-Cookie", "s=1").send("x"));
    Call.post("/x?token=S3CRET")
        .header("Authorization", "Bearer S3CRET")
        .header("Content-Type", "application/json")
        .body("{\"a\":1,\"password\":\"S3CRET\"}")
        .to(app);
    Map<?, ?> request = value(call("get_request", Map.of("id", lastId())));
    assertEquals("/x?token=masked", request.get("target"));
    assertEquals("{\"a\":1,\"password\":\"masked\"}", request.get("body"));
    assertEquals(200, request.get("status"));
    assertFalse(request.toString().contains("S3CRET"), request::toString);
    String test = text(call("request_as_test", Map.of("id", lastId())));
    assertFalse(test.contains("S3CRET"), test);
  }

  @Test
  @DisplayName("DEV-08: a form is shown as a form, with masked secrets")
  void getRequestShowsFormsAsForms() {
    app.use(BodyParsers.urlencoded()).post("/x", (req, res) -> res.send("x"));
    Call.post("/x").form("name", "Ann B").form("password", "S3CRET").to(app);
    Map<?, ?> request = value(call("get_request", Map.of("id", lastId())));
    assertEquals("name=Ann+B&password=masked", request.get("body"));
  }

  @Test
  void aRequestBecomesATest() {
    app.use(BodyParsers.json()).post("/x", (req, res) -> res.status(201).send("x"));
    Call.post("/x")
        .header("User-Agent", "Browser/1")
        .header("Sec-Fetch-Mode", "cors")
        .header("Cookie", "sid=7")
        .header("Content-Type", "application/json")
        .body("{\"a\":1}")
        .to(app);
    long id = lastId();
    String expected =
        """
        final class Request%dTest {

          @Test
          void responds() throws Exception {
            App app = Main.app(); // replace it by the code that creates the application
            Reply reply =
                Call.of("POST", "/x")
                .header("Content-Type", "application/json")
                .body("{\\"a\\":1}")
                .to(app);
            assertEquals(201, reply.status(), reply::toString);
          }
        }
        """
            .formatted(id);
    String test = text(call("request_as_test", Map.of("id", id)));
    assertTrue(test.startsWith("import static org.junit.jupiter.api.Assertions."), test);
    assertEquals(unspaced(expected), unspaced(test.substring(test.indexOf("final"))));
  }

  private static String unspaced(String text) {
    return text.replaceAll("\\s+", "");
  }

  @Test
  void anOpenRequestIsNoTestYet() {
    app.get("/stream", (req, res) -> res.write("a"));
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app);
        TestConnection connection = Call.get("/stream").open(client)) {
      connection.await("a");
      long id = lastId();
      String message = failure("request_as_test", Map.of("id", id));
      assertEquals("request " + id + " has not ended yet; try again later", message);
    }
  }

  @Test
  void hangReportsNameTheHandler() {
    app.set(Settings.SLOW_REQUEST_WARNING, Duration.ofMillis(20));
    app.get("/hang", (req, res) -> {});
    try (MemoryEngine engine = new MemoryEngine();
        Client client = engine.client(app);
        TestConnection connection = Call.get("/hang?token=S3CRET").open(client)) {
      List<?> reports = List.of();
      while (reports.isEmpty()) {
        reports = (List<?>) value(call("hang_reports", Map.of())).get("reports");
      }
      String report = reports.get(0).toString();
      assertTrue(report.contains("GET /hang?token=masked waits for McpToolsTest.java:"), report);
      connection.disconnect();
    }
  }

  @Test
  void driftReportsNameThePointer() {
    app.get("/books", Api.of("Book").response(200, Book.class), (req, res) -> res.json(Map.of()));
    call("send_request", Map.of("method", "GET", "target", "/books"));
    List<?> reports = (List<?>) value(call("drift_reports", Map.of())).get("reports");
    assertTrue(reports.get(0).toString().contains("/title"), reports::toString);
    assertTrue(reports.get(0).toString().contains("target=/books"), reports::toString);
  }

  @Test
  void logTailHasRecordsErrorsAndAccessLines() {
    app.use(RequestLogger.of("dev").to(line -> {}));
    app.get(
        "/x",
        (req, res) -> {
          LOG.log(System.Logger.Level.WARNING, "low stock of {0}", "tea");
          LOG.log(System.Logger.Level.ERROR, "no token=S3CRET", new IllegalStateException("why"));
          res.send("x");
        });
    Call.get("/x").to(app);
    List<?> lines = (List<?>) value(call("log_tail", Map.of("lines", 3))).get("lines");
    assertEquals(3, lines.size());
    String begin = "\\d\\d:\\d\\d.* WARNING com.example.Shop: ";
    assertTrue(lines.get(0).toString().matches(begin + "low stock of tea"), lines::toString);
    assertTrue(lines.get(1).toString().contains("no token=masked"), lines::toString);
    assertTrue(lines.get(1).toString().contains("IllegalStateException: why"), lines::toString);
    assertTrue(lines.get(1).toString().contains("McpToolsTest.java:"), lines::toString);
    assertTrue(lines.get(2).toString().contains(" GET /x 200 "), lines::toString);
    String filtered = text(call("log_tail", Map.of("filter", "stock of tea", "lines", 500)));
    assertFalse(filtered.isEmpty() || filtered.contains("no token"), filtered);
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void sendRequestRunsTheHandlers(ThreadMode mode) {
    if (mode == ThreadMode.VIRTUAL && Runtime.version().feature() < 21) {
      return;
    }
    app.use(BodyParsers.json());
    app.post("/sum", (req, res) -> res.set("X-A", "1").status(201).json(req.body(List.class)));
    Map<String, Object> sent =
        Map.of(
            "method", "POST", "target", "/sum?a=1", "body", "[1,2]", "headers", Map.of("X-B", "2"));
    try (MemoryEngine engine = new MemoryEngine(mode);
        Client client = engine.client(app)) {
      Reply reply = message("send_request", sent).to(client);
      Map<?, ?> response = value((Map<?, ?>) reply.json(Map.class).get("result"));
      assertEquals(201, response.get("status"));
      assertEquals("[1,2]", response.get("body"));
      assertEquals(5, response.get("bytes"));
      assertEquals(true, response.get("complete"));
      assertTrue(((List<?>) response.get("headers")).contains("X-A: 1"), response::toString);
      Map<?, ?> request = value(call("get_request", Map.of("id", response.get("request"))));
      assertEquals("/sum?a=1", request.get("target"));
      assertTrue(((List<?>) request.get("headers")).contains("X-B: 2"), request::toString);
    }
  }

  @Test
  void sendRequestReturnsTheResponseSoFarAfterItsTime() {
    app.get("/stream", (req, res) -> res.write("first"));
    Map<String, Object> response = inMemory("/stream");
    assertEquals("first", response.get("body"));
    assertEquals(false, response.get("complete"));
    app.get("/hang", (req, res) -> {});
    assertEquals(0, inMemory("/hang").get("status"));
  }

  @Test
  void sendRequestHasNoBodyForHead() {
    app.get("/x", (req, res) -> res.send("abc"));
    Map<?, ?> response = value(call("send_request", Map.of("method", "HEAD", "target", "/x")));
    assertEquals(200, response.get("status"));
    assertEquals("", response.get("body"));
  }

  @Test
  void errorsOfSendRequestArePlainText() {
    assertEquals("No requests.", text(call("list_requests", Map.of("filter", "nothing"))));
    Map<?, ?> response = value(call("send_request", Map.of("method", "GET", "target", "/none")));
    assertEquals("Cannot GET /none", response.get("body").toString().strip());
    assertTrue(response.toString().contains("Content-Type: text/plain"), response::toString);
    String test = text(call("request_as_test", Map.of("id", response.get("request"))));
    assertFalse(test.contains("Accept"), test);
  }

  private Map<String, Object> inMemory(String target) {
    MemoryRequest request = new MemoryRequest("GET", target, Headers.of("Host", "localhost"), "");
    return request.send(app, Duration.ofMillis(300)).toCompletableFuture().join();
  }

  @Test
  void openapiDocumentReturnsAllDocuments() {
    assertEquals(
        "no OpenAPI document; add app.use(OpenApi.of(app)) of percolate-openapi",
        failure("openapi_document", Map.of()));
    App api = new App().get("/books", Api.of("Book"), (req, res) -> res.end());
    app.use("/v1", api.use(OpenApi.of(api).title("Books")));
    List<?> documents = (List<?>) value(call("openapi_document", Map.of())).get("documents");
    assertEquals(1, documents.size());
    assertTrue(documents.get(0).toString().contains("title=Books"), documents::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "explain_request|{`method`:`GET`}|argument \"target\" is missing: the path with or without a query, such as /users/7?full=1",
        "explain_request|{`method`:7,`target`:`/`}|argument \"method\" must be a string, was 7",
        "get_request|{}|argument \"id\" is missing: the id of the request, from list_requests",
        "get_request|{`id`:`7`}|argument \"id\" must be an integer from 1 to 2147483647, was 7",
        "get_request|{`id`:999999}|no request 999999; list_requests returns the ids of the last requests",
        "list_requests|{`limit`:0}|argument \"limit\" must be an integer from 1 to 200, was 0",
        "list_requests|{`limit`:1.5}|argument \"limit\" must be an integer from 1 to 200, was 1.5",
        "list_requests|{`failed`:`yes`}|argument \"failed\" must be a boolean, was yes",
        "list_requests|{`n`:1}|unknown argument \"n\"; the arguments are [limit, filter, failed, timeline]",
        "app_map|{`n`:1}|unknown argument \"n\"; the arguments are none",
        "app_map|[]|arguments must be an object, was []",
        "send_request|{`method`:`G T`,`target`:`/`}|method must be an HTTP method, was G T",
        "send_request|{`method`:`GET`,`target`:`x`}|target must start with \"/\" and have spaces and other characters percent-encoded, was x",
        "explain_request|{`method`:`G T`,`target`:`/`}|method must be an HTTP method, was G T",
        "explain_request|{`method`:`GET`,`target`:`x`}|target must start with \"/\" and have spaces and other characters percent-encoded, was x",
        "send_request|{`method`:`GET`,`target`:`/_percolate/mcp`}|target must not be a page of the inspector",
        "send_request|{`method`:`GET`,`target`:`/`,`headers`:{`a`:1}}|argument \"headers\" must be an object whose values are strings, was {a=1}",
        "send_request|{`method`:`GET`,`target`:`/`,`headers`:{`Content-Length`:`1`}}|header \"Content-Length\" must not be set; the length of the body is known",
      })
  void faultsAreResultsThatNameTheCure(String tool, String arguments, String message) {
    Object read = JsonCodec.find().read(arguments.replace('`', '"'));
    assertEquals(message, failure(tool, read));
  }

  @Test
  void unknownToolsAreErrorsOfTheProtocol() {
    Reply reply = message("no_tool", Map.of()).to(app);
    assertEquals(200, reply.status());
    assertTrue(reply.text().contains("-32602,\"message\":\"Unknown tool: no_tool\""), reply.text());
  }

  @Test
  void eachToolReturnsTheRequiredProperties() {
    app.use(OpenApi.of(app)).get("/x", (req, res) -> res.send("x"));
    Call.get("/x").to(app);
    Map<String, Object> sent = Map.of("method", "GET", "target", "/x");
    for (Map<String, Object> tool : new McpTools(new Recordings()).definitions()) {
      String name = String.valueOf(tool.get("name"));
      Map<?, ?> properties = (Map<?, ?>) ((Map<?, ?>) tool.get("inputSchema")).get("properties");
      boolean byId = properties != null && properties.containsKey("id");
      boolean byTarget = properties != null && properties.containsKey("target");
      Map<String, ?> arguments = byId ? Map.of("id", lastId()) : byTarget ? sent : Map.of();
      List<?> required = (List<?>) ((Map<?, ?>) tool.get("outputSchema")).get("required");
      assertTrue(value(call(name, arguments)).keySet().containsAll(required), name);
    }
  }

  private long lastId() {
    List<?> requests = (List<?>) value(call("list_requests", Map.of())).get("requests");
    return ((Number) ((Map<?, ?>) requests.get(0)).get("id")).longValue();
  }

  private static Call message(String tool, Object arguments) {
    Map<String, Object> params = Map.of("name", tool, "arguments", arguments);
    String json =
        JsonText.of(Map.of("jsonrpc", "2.0", "id", 1, "method", "tools/call", "params", params));
    return Call.post("/_percolate/mcp").header("Content-Type", "application/json").body(json);
  }

  private Map<?, ?> result(String tool, Object arguments) {
    Reply reply = message(tool, arguments).to(app);
    assertEquals(200, reply.status(), reply::toString);
    return (Map<?, ?>) reply.json(Map.class).get("result");
  }

  private Map<?, ?> call(String tool, Object arguments) {
    Map<?, ?> result = result(tool, arguments);
    assertEquals(false, result.get("isError"), result::toString);
    return result;
  }

  private String failure(String tool, Object arguments) {
    Map<?, ?> result = result(tool, arguments);
    assertEquals(true, result.get("isError"), result::toString);
    return text(result);
  }

  private static String text(Map<?, ?> result) {
    return String.valueOf(((Map<?, ?>) ((List<?>) result.get("content")).get(0)).get("text"));
  }

  private static Map<?, ?> value(Map<?, ?> result) {
    return (Map<?, ?>) result.get("structuredContent");
  }
}
