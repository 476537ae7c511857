package dev.percolate.inspector;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.JsonCodec;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.http.JsonText;
import dev.percolate.http.Utf8;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request to the endpoint for coding agents: the Model Context Protocol (MCP) over streamable
 * HTTP.
 *
 * <p>Each message is a POST with one JSON object as its response. There are no sessions and no
 * event streams. Since revision 2026-07-28, each message describes itself in {@code _meta}, and
 * headers repeat that. Clients of earlier revisions send {@code initialize} first.
 */
final class McpEndpoint implements ChunkReader {

  private static final String SELF_DESCRIBED = "2026-07-28";
  private static final List<String> REVISIONS =
      List.of(SELF_DESCRIBED, "2025-11-25", "2025-06-18", "2025-03-26");

  private static final String META = "io.modelcontextprotocol/";
  private static final String INSTRUCTIONS =
      "Tools of a Percolate application that runs in development. Call app_map to learn its routes"
          + " and where they are defined. If a request fails, call list_requests, then get_request"
          + " for its timeline. Check a change with send_request, then keep it with"
          + " request_as_test.";

  private static final int PARSE_ERROR = -32700;
  private static final int INVALID_REQUEST = -32600;
  private static final int UNKNOWN_METHOD = -32601;
  private static final int INVALID_PARAMS = -32602;
  private static final int INTERNAL_ERROR = -32603;
  private static final int HEADER_MISMATCH = -32020;
  private static final int UNKNOWN_REVISION = -32022;

  /** The value of a header whose text is not safe in a header. */
  private static final Pattern ENCODED = Pattern.compile("=\\?base64\\?(.*)\\?=");

  private static final int MOST_BYTES = 1 << 20;
  private static final Duration TIME = Duration.ofMinutes(1);
  private static final JsonCodec.ReadOptions READING = new JsonCodec.ReadOptions(100, true);

  private final McpTools tools;
  private final Request req;
  private final Response res;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** The id of the message; null if it has none. */
  private @Nullable Object id;

  /** Whether the message describes itself in its metadata. */
  private boolean described;

  /** An error of the protocol, with the status code of its response. */
  private static final class Fault extends RuntimeException {

    private static final long serialVersionUID = 1;

    final int status;
    final int code;
    final transient Map<String, Object> data;

    Fault(int status, int code, String message) {
      this(status, code, message, Map.of());
    }

    Fault(int status, int code, String message, Map<String, Object> data) {
      super(message, null, false, false);
      this.status = status;
      this.code = code;
      this.data = data;
    }
  }

  McpEndpoint(McpTools tools, Request req, Response res) {
    this.tools = tools;
    this.req = req;
    this.res = res;
  }

  void handle() {
    if (!req.method().equals("POST")) {
      res.set("Allow", "POST");
      reject(405, "this endpoint accepts POST only; it has no event streams");
    } else if (!req.is("json")) {
      reject(415, "Content-Type must be application/json");
    } else {
      req.read(this);
    }
  }

  void reject(int status, String message) {
    fail(new Fault(status, INVALID_REQUEST, message));
  }

  @Override
  public boolean chunk(ByteBuffer chunk) {
    if (bytes.size() + chunk.remaining() > MOST_BYTES) {
      throw new HttpError(413, "a message must have at most " + MOST_BYTES + " bytes");
    }
    byte[] copy = new byte[chunk.remaining()];
    chunk.get(copy);
    bytes.writeBytes(copy);
    return true;
  }

  @Override
  public void done(@Nullable Throwable failure) {
    if (failure instanceof HttpError error) {
      reject(error.status(), String.valueOf(error.getMessage()));
    } else if (failure == null) {
      try {
        receive(read(bytes.toByteArray()));
      } catch (RuntimeException e) {
        fail(e);
      }
    } else if (!(failure instanceof ClientDisconnectedException)) {
      fail(failure);
    }
  }

  private static Map<?, ?> read(byte[] json) {
    Object read;
    try {
      read = JsonCodec.find().read(json, READING);
    } catch (IllegalArgumentException e) {
      throw new Fault(400, PARSE_ERROR, "invalid JSON: " + e.getMessage());
    }
    if (read instanceof Map<?, ?> message && "2.0".equals(message.get("jsonrpc"))) {
      return message;
    }
    throw new Fault(400, INVALID_REQUEST, "a message must be one JSON-RPC 2.0 object");
  }

  private void receive(Map<?, ?> message) {
    boolean response = message.containsKey("result") || message.containsKey("error");
    id = message.get("id");
    if (!(message.get("method") instanceof String method)) {
      if (!response) {
        throw new Fault(400, INVALID_REQUEST, "method must be a string");
      }
      res.status(202).end();
    } else if (!message.containsKey("id")) {
      res.status(202).end(); // a notification
    } else if (id instanceof String || id instanceof Number) {
      Map<?, ?> params = map(message.get("params"));
      described = isDescribed(method, params);
      perform(method, params)
          .whenComplete(
              (result, error) -> {
                if (error == null) {
                  succeed(result);
                } else {
                  fail(error);
                }
              });
    } else {
      throw new Fault(400, INVALID_REQUEST, "id must be a string or a number");
    }
  }

  /** Returns true if a message describes itself, after comparing the description with headers. */
  private boolean isDescribed(String method, Map<?, ?> params) {
    Map<?, ?> meta = map(params.get("_meta"));
    Object revision = meta.get(META + "protocolVersion");
    String header = req.get("MCP-Protocol-Version");
    Object requested = revision == null ? header : revision;
    if (requested != null && !REVISIONS.contains(requested)) {
      Map<String, Object> data = Map.of("supported", REVISIONS, "requested", requested);
      throw new Fault(400, UNKNOWN_REVISION, "Unsupported protocol version", data);
    }
    if (revision == null && !SELF_DESCRIBED.equals(header)) {
      return false;
    }
    checkHeader("MCP-Protocol-Version", revision);
    checkHeader("Mcp-Method", method);
    if (method.equals("tools/call")) {
      checkHeader("Mcp-Name", params.get("name"));
    }
    if (!(meta.get(META + "clientCapabilities") instanceof Map<?, ?>)) {
      throw new Fault(400, INVALID_PARAMS, "_meta must contain " + META + "clientCapabilities");
    }
    return true;
  }

  private void checkHeader(String name, @Nullable Object value) {
    String sent = req.get(name);
    String header = sent != null && name.equals("Mcp-Name") ? decoded(sent) : sent;
    if (!Objects.equals(header, value)) {
      String text = "Header mismatch: " + name + " is " + header + ", but the body has " + value;
      throw new Fault(400, HEADER_MISMATCH, text);
    }
  }

  private static String decoded(String header) {
    Matcher encoded = ENCODED.matcher(header);
    try {
      return encoded.matches() ? Utf8.text(Base64.getDecoder().decode(encoded.group(1))) : header;
    } catch (IllegalArgumentException e) {
      return header; // not Base64: it is not equal to the name
    }
  }

  private CompletionStage<Map<String, Object>> perform(String method, Map<?, ?> params) {
    return switch (method) {
      case "initialize" -> completed(initialized(params));
      case "server/discover" -> completed(discovered());
      case "ping" -> completed(Map.of());
      case "tools/list" -> completed(cached(Map.of("tools", tools.definitions())));
      case "tools/call" -> call(params);
      default -> throw new Fault(described ? 404 : 200, UNKNOWN_METHOD, "unknown method " + method);
    };
  }

  private static CompletionStage<Map<String, Object>> completed(Map<String, Object> result) {
    return CompletableFuture.completedFuture(result);
  }

  private static Map<String, Object> initialized(Map<?, ?> params) {
    String requested = String.valueOf(params.get("protocolVersion"));
    boolean known = REVISIONS.contains(requested) && !SELF_DESCRIBED.equals(requested);
    Map<String, Object> result = introduction();
    result.put("protocolVersion", known ? requested : REVISIONS.get(1));
    result.put("serverInfo", info());
    return result;
  }

  private static Map<String, Object> discovered() {
    Map<String, Object> result = introduction();
    result.put("supportedVersions", REVISIONS);
    return cached(result);
  }

  private static Map<String, Object> introduction() {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("capabilities", Map.of("tools", Map.of()));
    result.put("instructions", INSTRUCTIONS);
    return result;
  }

  /** Returns a result with the time for which clients may keep it. */
  private static Map<String, Object> cached(Map<String, Object> result) {
    Map<String, Object> value = new LinkedHashMap<>(result);
    value.put("ttlMs", 60_000);
    value.put("cacheScope", "private");
    return value;
  }

  private static Map<String, Object> info() {
    String version = McpEndpoint.class.getPackage().getImplementationVersion();
    return Map.of("name", "percolate", "version", version == null ? "development" : version);
  }

  private CompletionStage<Map<String, Object>> call(Map<?, ?> params) {
    Object name = params.get("name");
    Map<String, Object> tool =
        tools.definitions().stream()
            .filter(one -> Objects.equals(one.get("name"), name))
            .findFirst()
            .orElseThrow(() -> new Fault(200, INVALID_PARAMS, "Unknown tool: " + name));
    App app = Timeline.outermost(req);
    if (app == null) {
      return completed(failed("The inspector is not part of an App. Add it with app.use."));
    }
    try {
      req.responseTimeout(TIME); // without a slow request warning
      String host = String.valueOf(req.get("Host"));
      return tools.call(tool, params.get("arguments"), app, host).thenApply(McpEndpoint::called);
    } catch (IllegalArgumentException e) {
      return completed(failed(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      return completed(failed("The tool failed: " + e));
    }
  }

  private static Map<String, Object> called(McpResult result) {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("content", content(result.text()));
    value.put("structuredContent", result.value());
    value.put("isError", false);
    return value;
  }

  private static Map<String, Object> failed(String message) {
    return Map.of("content", content(message), "isError", true);
  }

  private static List<Map<String, Object>> content(String text) {
    return List.of(Map.of("type", "text", "text", text));
  }

  private void succeed(Map<String, Object> result) {
    Map<String, Object> value = new LinkedHashMap<>(result);
    if (described) {
      value.put("resultType", "complete");
      value.put("_meta", Map.of(META + "serverInfo", info()));
    }
    send(200, "result", value);
  }

  private void fail(Throwable error) {
    Throwable cause = error instanceof CompletionException wrapped ? wrapped.getCause() : error;
    Fault fault =
        cause instanceof Fault known ? known : new Fault(500, INTERNAL_ERROR, "failed: " + cause);
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("code", fault.code);
    value.put("message", String.valueOf(fault.getMessage()));
    if (!fault.data.isEmpty()) {
      value.put("data", fault.data);
    }
    send(fault.status, "error", value);
  }

  private void send(int status, String name, Map<String, Object> value) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("jsonrpc", "2.0");
    if (id instanceof String || id instanceof Number) {
      message.put("id", id);
    }
    message.put(name, value);
    res.status(status)
        .set("Content-Type", "application/json")
        .set("Cache-Control", "no-store")
        .set("X-Content-Type-Options", "nosniff")
        .end(JsonText.of(message));
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return value instanceof Map<?, ?> map ? map : Map.of();
  }
}
