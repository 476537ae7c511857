package dev.percolate.inspector;

import dev.percolate.core.AppCounters;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.engine.BodyMemory;
import dev.percolate.framework.App;
import dev.percolate.http.Host;
import dev.percolate.http.HttpError;
import dev.percolate.http.JsonText;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Serves the pages and data of the inspector, only to its own origin. */
final class InspectorSite {

  private static final String ROOT = "/_percolate";
  private static final String FOREIGN = "the inspector accepts only requests from its own pages";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

  /** The allowed values of {@code Sec-Fetch-Site}: own pages, and addresses typed by the user. */
  private static final Set<String> SITES = Set.of("same-origin", "none");

  private final Recordings recordings;
  private final McpTools tools;

  InspectorSite(Recordings recordings) {
    this.recordings = recordings;
    this.tools = new McpTools(recordings);
  }

  static boolean covers(String path) {
    return path.equals(ROOT) || path.startsWith(ROOT + "/");
  }

  void handle(Request req, Response res) throws IOException {
    boolean own = isOwn(req);
    if (req.path().equals(ROOT + "/mcp")) {
      McpEndpoint mcp = new McpEndpoint(tools, req, res);
      if (own) {
        mcp.handle();
      } else {
        mcp.reject(403, FOREIGN);
      }
      return;
    }
    if (!own) {
      throw new HttpError(403, FOREIGN);
    }
    if (!req.method().equals("GET") && !req.method().equals("HEAD")) {
      res.set("Allow", "GET, HEAD");
      throw new HttpError(405);
    }
    res.set("Cache-Control", "no-store")
        .set("Content-Security-Policy", POLICY)
        .set("X-Content-Type-Options", "nosniff")
        .set("X-Frame-Options", "DENY")
        .set("Referrer-Policy", "no-referrer")
        .set("Cross-Origin-Resource-Policy", "same-origin");
    String path = req.path().substring(ROOT.length());
    switch (path) {
      case "", "/" -> send(res, "text/html", Page.file("inspector.html"));
      case "/inspector.css" -> send(res, "text/css", Page.file("inspector.css"));
      case "/inspector.js" -> send(res, "text/javascript", Page.file("inspector.js"));
      case "/requests" -> json(res, recordings.all().stream().map(Timeline::summary).toList());
      case "/live" -> json(res, recordings.live());
      case "/map" -> json(res, map(req));
      case "/counters" -> json(res, counters(req));
      case "/events" -> EventStream.open(recordings, req, res);
      default -> json(res, found(path).value());
    }
  }

  /**
   * Returns false for requests from other origins, also if their host name resolves to this machine
   * (DNS rebinding).
   */
  private static boolean isOwn(Request req) {
    String authority = req.headers().get("Host");
    String host = req.host();
    String origin = req.get("Origin");
    String site = req.get("Sec-Fetch-Site");
    return authority != null
        && host != null
        && Host.isLoopback(host)
        && (origin == null || origin.equals(req.protocol() + "://" + authority))
        && (site == null || SITES.contains(site));
  }

  private Timeline found(String path) {
    String number = path.startsWith("/requests/") ? path.substring("/requests/".length()) : "";
    Timeline line = number.matches("\\d{1,18}") ? recordings.find(Long.parseLong(number)) : null;
    if (line == null) {
      throw new HttpError(404);
    }
    return line;
  }

  private static List<Map<String, Object>> map(Request req) {
    App app = Timeline.outermost(req);
    return app == null ? List.of() : app.map().value();
  }

  /** Returns the counters by name. */
  private Map<String, Object> counters(Request req) {
    Map<String, Object> values = new LinkedHashMap<>();
    App app = Timeline.outermost(req);
    if (app != null) {
      AppCounters counters = app.counters();
      values.put("open connections", counters.connections());
      values.put("requests ended by the response timeout", counters.responseTimeouts());
      values.put("responses not sent, because there was one", counters.duplicateResponses());
      values.put("repeated calls of next(), ignored", counters.duplicateNextCalls());
      values.put("errors after the response or after next()", counters.lateErrors());
      values.put("failed TLS handshakes", counters.failedHandshakes());
    }
    BodyMemory memory = BodyMemory.ofProcess();
    values.put("request bodies in memory, bytes", memory.held());
    values.put("request bodies in memory, highest, bytes", memory.maxHeld());
    values.put("request bodies in memory, limit, bytes", memory.budget());
    values.put("request bodies waiting for memory", memory.waiting());
    recordings
        .rejected()
        .forEach((status, count) -> values.put("requests rejected with " + status, count));
    return values;
  }

  private static void json(Response res, Object value) {
    send(res, "application/json", JsonText.of(value));
  }

  private static void send(Response res, String type, String text) {
    res.set("Content-Type", type + "; charset=utf-8").end(text);
  }
}
