package dev.percolate.middleware.socket;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.DeflateExtension;
import dev.percolate.http.HttpError;
import dev.percolate.http.Origin;
import dev.percolate.http.WebSocketHandshake;
import java.util.List;
import java.util.Set;

/**
 * The result of a WebSocket handshake (RFC 6455 section 4.2, for HTTP/2 RFC 8441).
 *
 * @param protocol the subprotocol; empty for none
 * @param extension the {@code Sec-WebSocket-Extensions} of the response; empty for none
 * @param asked when the client requested the socket, by {@link System#nanoTime}
 */
public record SocketHandshake(String protocol, String extension, long asked) {

  private static final String VERSION = "Sec-WebSocket-Version";

  /**
   * Checks the request.
   *
   * @param origins the allowed origins besides the own one, {@code *} for any
   * @param protocols the supported subprotocols
   * @param compression whether messages may be compressed
   * @throws HttpError 400, 403, 426 or 501 if the request cannot open a socket
   */
  public static SocketHandshake of(
      Request req, Response res, Set<String> origins, List<String> protocols, boolean compression) {
    if (!req.method().equals("GET") || !WebSocketHandshake.isRequested(req.headers())) {
      throw upgradeRequired(res, "this path accepts WebSockets only");
    }
    checkVersion(req, res);
    if (!isMultiplexed(req)) {
      checkConnection(req);
      checkKey(req);
    }
    checkOrigin(req, origins);
    List<String> offered =
        WebSocketHandshake.protocols(req.headers().all("Sec-WebSocket-Protocol"));
    String extension = DeflateExtension.choose(req.headers().all("Sec-WebSocket-Extensions"));
    if (offered == null || extension == null) {
      String which = offered == null ? "Sec-WebSocket-Protocol" : "Sec-WebSocket-Extensions";
      throw malformed(which + " is invalid");
    }
    if (!res.upgradable()) {
      throw req.hasBody() ? malformed("a WebSocket request must not have a body") : noEngine();
    }
    String protocol = offered.stream().filter(protocols::contains).findFirst().orElse("");
    return new SocketHandshake(protocol, compression ? extension : "", System.nanoTime());
  }

  /** Sets the headers of the response. */
  public void answer(Request req, Response res) {
    if (!isMultiplexed(req)) {
      String key = String.valueOf(req.headers().get("Sec-WebSocket-Key"));
      res.set("Upgrade", "websocket").set("Sec-WebSocket-Accept", WebSocketHandshake.accept(key));
    }
    if (!protocol.isEmpty()) {
      res.set("Sec-WebSocket-Protocol", protocol);
    }
    if (!extension.isEmpty()) {
      res.set("Sec-WebSocket-Extensions", extension);
    }
  }

  private static void checkVersion(Request req, Response res) {
    if (req.headers().all(VERSION).size() != 1) {
      res.set(VERSION, WebSocketHandshake.VERSION);
    }
    if (!single(req, VERSION).strip().equals(WebSocketHandshake.VERSION)) {
      throw upgradeRequired(res, "only version 13 of WebSocket is supported");
    }
  }

  private static void checkKey(Request req) {
    if (!WebSocketHandshake.isKey(single(req, "Sec-WebSocket-Key"))) {
      throw malformed("Sec-WebSocket-Key must be 16 bytes in base64");
    }
  }

  /** Returns the value of a header that must be sent once. */
  private static String single(Request req, String name) {
    List<String> values = req.headers().all(name);
    if (values.size() != 1) {
      throw malformed(name + (values.isEmpty() ? " is missing" : " must be sent once"));
    }
    return values.get(0);
  }

  /**
   * Rejects pages of other origins, which could act for their visitors. Only browsers send origins.
   */
  private static void checkOrigin(Request req, Set<String> origins) {
    List<String> sent = req.headers().all("Origin");
    if (sent.isEmpty() || origins.contains("*")) {
      return;
    }
    String origin = Origin.normal(sent.get(0));
    boolean downgraded = origin.startsWith("http:") && req.secure();
    boolean known =
        sent.size() == 1
            && (origins.contains(origin) || (Origin.isOf(origin, req.authority()) && !downgraded));
    if (!known) {
      throw new HttpError(
          403, "WebSockets from this origin are not allowed", "websocket.origin", null);
    }
  }

  private static void checkConnection(Request req) {
    boolean goesOn =
        ConnectionOptions.upgrade(req.headers())
            && !ConnectionOptions.close(req.headers())
            && !req.httpVersion().equals("1.0");
    if (!goesOn) {
      throw malformed("Connection must include Upgrade");
    }
  }

  private static boolean isMultiplexed(Request req) {
    return req.httpVersion().startsWith("2");
  }

  private static HttpError noEngine() {
    return new HttpError(
        501,
        "this engine does not support WebSockets; use percolate-nio instead of the other"
            + " engine, or select it with -Dpercolate.engine=nio",
        "websocket.engine",
        null);
  }

  private static HttpError malformed(String what) {
    return new HttpError(400, what, "websocket.malformed", null);
  }

  private static HttpError upgradeRequired(Response res, String what) {
    res.set("Upgrade", "websocket").set("Connection", "Upgrade");
    res.set(VERSION, WebSocketHandshake.VERSION);
    return new HttpError(426, what, "websocket.required", null);
  }
}
