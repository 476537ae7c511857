package dev.percolate.inspector;

import dev.percolate.core.JsonCodec;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.framework.ApiDocument;
import dev.percolate.framework.App;
import dev.percolate.framework.AppMap;
import dev.percolate.framework.Explanation;
import dev.percolate.framework.LayerVisitor;
import dev.percolate.framework.Route;
import dev.percolate.http.HeaderText;
import dev.percolate.http.Headers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tools for coding agents. The resource {@code mcp-tools.json} contains their names,
 * descriptions and schemas.
 */
final class McpTools {

  private static final int DEFAULT_REQUESTS = 20;
  private static final int DEFAULT_LINES = 50;

  /** The path of the inspector, whose pages are not requested in memory. */
  private static final String OWN_PAGES = "/_percolate";

  /** The time limit of a request in memory. */
  private static final Duration TIME = Duration.ofSeconds(10);

  /** Headers that describe the transfer of a body. */
  private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding");

  private final Recordings recordings;
  private @Nullable List<Map<String, Object>> definitions;

  McpTools(Recordings recordings) {
    this.recordings = recordings;
  }

  /** Returns the definitions of all tools, in the format of the protocol. */
  synchronized List<Map<String, Object>> definitions() {
    List<Map<String, Object>> known = definitions;
    if (known == null) {
      known = readDefinitions();
      definitions = known;
    }
    return known;
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> readDefinitions() {
    Object read = JsonCodec.find().read(Page.file("mcp-tools.json"));
    return (List<Map<String, Object>>) Objects.requireNonNull(read);
  }

  /**
   * Calls a tool.
   *
   * @param tool its definition
   * @param given the arguments as received; null for none
   * @param app the application
   * @param host the value of the header {@code Host} for requests in memory
   * @throws IllegalArgumentException if an argument is invalid; the message is for the agent
   */
  CompletionStage<McpResult> call(
      Map<String, Object> tool, @Nullable Object given, App app, String host) {
    McpArguments in = McpArguments.of(tool.get("inputSchema"), given);
    String name = String.valueOf(tool.get("name"));
    return name.equals("send_request")
        ? send(in, app, host)
        : CompletableFuture.completedFuture(read(name, in, app));
  }

  private McpResult read(String name, McpArguments in, App app) {
    return switch (name) {
      case "app_map" -> new McpResult(app.map().toString(), Map.of("layers", app.map().value()));
      case "explain_request" -> {
        Explanation explanation = app.explain(method(in), target(in));
        yield new McpResult(explanation.toString(), explanation.value());
      }
      case "lint" -> lines("warnings", app.lint(), "No mistakes found.");
      case "settings" -> settings(app.settings());
      case "list_requests" -> requests(in);
      case "get_request" -> json(find(in).value());
      case "hang_reports" -> reports(true);
      case "drift_reports" -> reports(false);
      case "log_tail" -> {
        int most = (int) in.number("lines", DEFAULT_LINES);
        yield lines("lines", LogTail.ofProcess().last(most, in.text("filter")), "No entries.");
      }
      case "request_as_test" -> {
        String test = find(in).test();
        yield new McpResult(test, Map.of("test", test));
      }
      case "openapi_document" -> documents(app);
      default -> throw new IllegalStateException("no code for the tool " + name);
    };
  }

  private static McpResult lines(String name, List<String> lines, String none) {
    String text = lines.isEmpty() ? none : String.join("\n", lines);
    return new McpResult(text, Map.of(name, lines));
  }

  private static McpResult json(Map<String, Object> value) {
    return new McpResult(JsonCodec.find().write(value, JsonCodec.WriteOptions.COMPACT), value);
  }

  private static McpResult settings(Settings settings) {
    Map<String, Object> values = new LinkedHashMap<>();
    TreeSet<String> names = new TreeSet<>(Settings.known());
    names.addAll(settings.names());
    for (String name : names) {
      if (settings.has(name)) {
        boolean secret = !Settings.known().contains(name) && Secrets.isSecret(name);
        values.put(name, secret ? Secrets.MASK : Secrets.text(text(settings.get(name))));
      }
    }
    String text =
        values.entrySet().stream().map(Object::toString).collect(Collectors.joining("\n"));
    return new McpResult(text, Map.of("settings", values));
  }

  /** Returns a value as text; the name of its class if it has no text of its own. */
  private static String text(@Nullable Object value) {
    String text = ShortText.cut(String.valueOf(value));
    if (value != null && text.contains("@" + Integer.toHexString(value.hashCode()))) {
      return AppMap.name(value.getClass());
    }
    return text;
  }

  private McpResult requests(McpArguments in) {
    List<Map<String, Object>> found = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (Timeline line : recordings.all()) {
      String head = line.toString();
      if (found.size() < in.number("limit", DEFAULT_REQUESTS)
          && head.contains(in.text("filter"))
          && (line.hasFailed() || !in.flag("failed"))) {
        Map<String, Object> summary = line.summary();
        if (in.flag("timeline")) {
          summary.put("steps", line.stepValues());
        }
        found.add(summary);
        text.append(line.id + ": " + head + ", " + summary.get("micros") + " µs ");
        text.append(summary.get("error")).append('\n');
      }
    }
    Map<String, Object> value = Map.of("requests", found);
    if (in.flag("timeline")) {
      return json(value);
    }
    return new McpResult(found.isEmpty() ? "No requests." : text.toString(), value);
  }

  private Timeline find(McpArguments in) {
    long id = in.number("id", 0);
    Timeline line = recordings.find(id);
    if (line == null) {
      throw new IllegalArgumentException(
          "no request " + id + "; list_requests returns the ids of the last requests");
    }
    return line;
  }

  private McpResult reports(boolean hangs) {
    List<Map<String, Object>> reports = new ArrayList<>();
    for (Timeline line : recordings.all()) {
      List<String> messages = hangs ? line.hangs() : line.drifts();
      if (!messages.isEmpty()) {
        Map<String, Object> report = line.summary();
        report.keySet().retainAll(List.of("id", "at", "method", "target"));
        report.put("messages", messages);
        reports.add(report);
      }
    }
    return json(Map.of("reports", reports));
  }

  private static McpResult documents(App app) {
    List<Map<String, Object>> documents = new ArrayList<>();
    collect(app, new HashSet<>(), documents);
    if (documents.isEmpty()) {
      throw new IllegalArgumentException(
          "no OpenAPI document; add app.use(OpenApi.of(app)) of percolate-openapi");
    }
    return json(Map.of("documents", documents));
  }

  private static void collect(App app, Set<App> seen, List<Map<String, Object>> into) {
    if (!seen.add(app)) {
      return; // an application may be used within itself
    }
    app.visit(
        new LayerVisitor() {

          @Override
          public void visitMiddleware(String path, Middleware step) {
            if (step instanceof ApiDocument api) {
              into.add(api.document());
            } else if (step instanceof App inner) {
              collect(inner, seen, into);
            }
          }

          @Override
          public void visitRoutes(List<Route> routes) {}
        });
  }

  private static CompletionStage<McpResult> send(McpArguments in, App app, String host) {
    String method = method(in);
    String target = target(in);
    if (target.startsWith(OWN_PAGES)) {
      throw new IllegalArgumentException("target must not be a page of the inspector");
    }
    Headers headers = Headers.of("Host", host);
    headers.set("Accept", "*/*"); // errors are then plain text
    in.texts("headers").forEach((name, value) -> add(headers, (String) name, (String) value));
    String body = in.text("body");
    boolean json = body.startsWith("{") || body.startsWith("[");
    if (json && !headers.contains("Content-Type")) {
      headers.set("Content-Type", "application/json");
    }
    MemoryRequest request = new MemoryRequest(method, target, headers, body);
    return request.send(app, TIME).thenApply(McpTools::json);
  }

  private static String method(McpArguments in) {
    String method = in.text("method");
    if (!HeaderText.isToken(method)) {
      throw new IllegalArgumentException("method must be an HTTP method, was " + method);
    }
    return method;
  }

  private static String target(McpArguments in) {
    String target = in.text("target");
    if (!target.startsWith("/") || target.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException(
          "target must start with \"/\" and have spaces and other characters percent-encoded, was "
              + target);
    }
    return target;
  }

  private static void add(Headers headers, String name, String value) {
    if (FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "header \"" + name + "\" must not be set; the length of the body is known");
    }
    headers.set(name, value);
  }
}
