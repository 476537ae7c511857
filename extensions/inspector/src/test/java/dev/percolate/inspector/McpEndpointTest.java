package dev.percolate.inspector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.http.JsonText;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol of the endpoint: revisions 2025-03-26 to 2026-07-28. */
@Timeout(60)
class McpEndpointTest {

  private static final String META = "io.modelcontextprotocol/";

  private final App app = new App().use(Inspector.inDevelopment());

  @ParameterizedTest
  @CsvSource({
    "2025-11-25, 2025-11-25",
    "2025-06-18, 2025-06-18",
    "2025-03-26, 2025-03-26",
    "2024-11-05, 2025-11-25",
    "2026-07-28, 2025-11-25",
    "x, 2025-11-25",
  })
  void agreesOnARevision(String wanted, String agreed) {
    Map<?, ?> result = result(request("initialize", Map.of("protocolVersion", wanted)));
    assertEquals(agreed, result.get("protocolVersion"));
    assertEquals(Map.of("tools", Map.of()), result.get("capabilities"));
    assertEquals("percolate", ((Map<?, ?>) result.get("serverInfo")).get("name"));
    assertTrue(String.valueOf(result.get("instructions")).contains("app_map"));
    assertNull(result.get("resultType"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`jsonrpc`:`2.0`,`method`:`notifications/initialized`}",
        "{`jsonrpc`:`2.0`,`method`:`no/such/notification`,`params`:{}}",
        "{`jsonrpc`:`2.0`,`id`:1,`result`:{}}",
        "{`jsonrpc`:`2.0`,`id`:1,`error`:{`code`:1,`message`:`x`}}",
      })
  void notificationsAndResponsesAreAccepted(String message) {
    Reply reply = post(message.replace('`', '"'));
    assertEquals(202, reply.status());
    assertEquals("", reply.text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{|-32700|invalid JSON: ",
        "[{`jsonrpc`:`2.0`,`id`:1,`method`:`ping`}]|-32600|a message must be one JSON-RPC 2.0 object",
        "{`id`:1,`method`:`ping`}|-32600|a message must be one JSON-RPC 2.0 object",
        "{`jsonrpc`:`2.0`,`id`:1}|-32600|method must be a string",
        "{`jsonrpc`:`2.0`,`id`:1,`method`:7}|-32600|method must be a string",
        "{`jsonrpc`:`2.0`,`id`:null,`method`:`ping`}|-32600|id must be a string or a number",
        "{`jsonrpc`:`2.0`,`id`:[1],`method`:`ping`}|-32600|id must be a string or a number",
      })
  void invalidMessagesAreErrors(String message, int code, String begin) {
    Reply reply = post(message.replace('`', '"'));
    assertEquals(400, reply.status());
    Map<?, ?> error = (Map<?, ?>) reply.json(Map.class).get("error");
    assertEquals(code, error.get("code"));
    assertTrue(String.valueOf(error.get("message")).startsWith(begin), error::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "\"a\"", "9007199254740993", "-1"})
  void theIdIsReturnedAsItWasSent(String id) {
    Reply reply = post("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}");
    assertEquals("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}", reply.text());
    assertEquals("application/json", reply.header("Content-Type"));
  }

  @Test
  void unknownMethodsAreErrors() {
    Reply reply = request("resources/list", Map.of());
    assertEquals(200, reply.status());
    assertTrue(
        reply.text().contains("{\"code\":-32601,\"message\":\"unknown method res"), reply.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "DELETE", "PUT", "HEAD", "OPTIONS"})
  void otherMethodsAreNotAllowed(String method) {
    Reply reply = Call.of(method, "/_percolate/mcp").to(app);
    assertEquals(405, reply.status());
    assertEquals("POST", reply.header("Allow"));
  }

  @Test
  void longMessagesAreRejected() {
    Reply reply = post("{\"a\":\"" + "a".repeat(1 << 20) + "\"}");
    assertEquals(413, reply.status());
  }

  @Test
  void unknownRevisionsAreRejected() {
    String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    Reply known = json(ping).header("MCP-Protocol-Version", "2025-06-18").to(app);
    assertEquals(200, known.status());
    Reply reply = json(ping).header("MCP-Protocol-Version", "1999-01-01").to(app);
    assertEquals(400, reply.status());
    Map<?, ?> error = (Map<?, ?>) reply.json(Map.class).get("error");
    assertEquals(-32022, error.get("code"));
    assertEquals("1999-01-01", ((Map<?, ?>) error.get("data")).get("requested"));
    assertEquals(
        List.of("2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"),
        ((Map<?, ?>) error.get("data")).get("supported"));
  }

  @Test
  void aRequestThatDescribesItselfNeedsNoHandshake() {
    Reply reply = described("server/discover", Map.of()).to(app);
    Map<?, ?> result = result(reply);
    assertEquals("2026-07-28", ((List<?>) result.get("supportedVersions")).get(0));
    assertEquals("complete", result.get("resultType"));
    assertEquals("private", result.get("cacheScope"));
    Map<?, ?> info = (Map<?, ?>) ((Map<?, ?>) result.get("_meta")).get(META + "serverInfo");
    assertEquals("percolate", info.get("name"));
    Map<?, ?> tools = result(described("tools/list", Map.of()).to(app));
    assertEquals(12, ((List<?>) tools.get("tools")).size());
    Call call = described("tools/call", Map.of("name", "lint"));
    for (String name : List.of("lint", "=?base64?bGludA==?=")) {
      assertEquals(false, result(call.header("Mcp-Name", name).to(app)).get("isError"));
    }
  }

  @Test
  void aRequestThatContradictsItsHeadersIsRejected() {
    assertMismatch(json(body("tools/list", meta("2026-07-28"))).header("Mcp-Method", "tools/list"));
    Call other = json(body("tools/list", meta("2026-07-28")));
    assertMismatch(other.header("MCP-Protocol-Version", "2025-11-25"));
    assertMismatch(other.header("MCP-Protocol-Version", "2026-07-28"));
    assertMismatch(other.header("MCP-Protocol-Version", "2026-07-28").header("Mcp-Method", "ping"));
    assertMismatch(json(body("ping", Map.of())).header("MCP-Protocol-Version", "2026-07-28"));
    Call call = described("tools/call", Map.of("name", "lint"));
    assertMismatch(call);
    for (String name : List.of("app_map", "=?base64?", "=?base64?=", "=?base64?lint!?=")) {
      assertMismatch(call.header("Mcp-Name", name));
    }
  }

  private void assertMismatch(Call call) {
    Reply reply = call.to(app);
    assertEquals(400, reply.status());
    assertTrue(
        reply.text().contains("{\"code\":-32020,\"message\":\"Header mismatch: "), reply.text());
  }

  @Test
  void otherFaultsOfASelfDescribedRequest() {
    Map<String, Object> meta = Map.of(META + "protocolVersion", "2026-07-28");
    Reply reply =
        json(body("ping", Map.of("_meta", meta)))
            .header("MCP-Protocol-Version", "2026-07-28")
            .header("Mcp-Method", "ping")
            .to(app);
    assertEquals(400, reply.status());
    assertTrue(reply.text().contains("-32602"), reply.text());
    assertEquals(404, described("resources/list", Map.of()).to(app).status());
  }

  @ParameterizedTest
  @CsvSource({
    "Host, evil.example",
    "Host, 192.168.0.7",
    "Origin, http://evil.example",
    "Origin, null",
    "Origin, http://localhost:9",
    "Sec-Fetch-Site, cross-site",
    "Sec-Fetch-Site, same-site",
  })
  @DisplayName("DEV-08: messages from pages of other origins are rejected")
  void rejectsOtherOrigins(String name, String value) {
    app.use((error, req, res, next) -> res.status(500).send("sorry"));
    Reply reply = json(body("ping", Map.of())).header(name, value).to(app);
    assertEquals(403, reply.status());
    assertTrue(reply.text().startsWith("{\"jsonrpc\":\"2.0\",\"error\":"), reply.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
  @DisplayName("DEV-08: types that a form of a page could send are rejected")
  void rejectsTypesOfForms(String type) {
    Call call = Call.post("/_percolate/mcp").header("Content-Type", type);
    assertEquals(415, call.body(body("ping", Map.of())).to(app).status());
  }

  @Test
  @DisplayName("DEV-08: not available in production, or through a proxy")
  void isNotAvailableInProductionOrThroughAProxy() {
    Call call = json(body("ping", Map.of()));
    assertEquals(404, call.header("X-Forwarded-For", "1.2.3.4").to(app).status());
    app.set("env", "production");
    assertEquals(404, call.to(app).status());
  }

  @Test
  void messagesAreNotRecorded() {
    Reply reply = request("tools/list", Map.of());
    assertEquals(200, reply.status());
    assertEquals("[]", Call.get("/_percolate/requests").to(app).text());
  }

  private Reply request(String method, Map<String, ?> params) {
    return post(body(method, params));
  }

  private Reply post(String json) {
    return json(json).to(app);
  }

  private static Call json(String json) {
    return Call.post("/_percolate/mcp").header("Content-Type", "application/json").body(json);
  }

  private static Call described(String method, Map<String, Object> params) {
    Map<String, Object> all = new HashMap<>(params);
    all.putAll(meta("2026-07-28"));
    return json(body(method, all))
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", method);
  }

  private static Map<String, Object> meta(String revision) {
    return Map.of(
        "_meta", Map.of(META + "protocolVersion", revision, META + "clientCapabilities", Map.of()));
  }

  private static String body(String method, Map<String, ?> params) {
    return JsonText.of(Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", params));
  }

  private static Map<?, ?> result(Reply reply) {
    assertEquals(200, reply.status(), reply::toString);
    return (Map<?, ?>) reply.json(Map.class).get("result");
  }
}
