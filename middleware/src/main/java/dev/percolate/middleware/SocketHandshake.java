package dev.percolate.middleware;

import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.http.ConnectionOptions;
import dev.percolate.http.DeflateExtension;
import dev.percolate.http.HttpError;
import dev.percolate.http.WebSocketHandshake;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What client and server agree on when a socket begins (RFC 6455 section 4.2, over HTTP/2 RFC
 * 8441).
 *
 * @param protocol the subprotocol; empty for none
 * @param extension the answer's {@code Sec-WebSocket-Extensions}; empty for none
 * @param asked when the client requested the socket, by {@link System#nanoTime}
 */
record SocketHandshake(String protocol, String extension, long asked) {

  private static final String VERSION = "Sec-WebSocket-Version";

  /**
   * Reads the request.
   *
   * @param origins which further origins may begin, {@code *} for any
   * @param protocols the subprotocols that are spoken
   * @param compression whether messages may be compressed
   * @throws HttpError 400, 403, 426 or 501 if no socket can begin
   */
  static SocketHandshake of(
      Request req, Response res, Set<String> origins, List<String> protocols, boolean compression) {
    if (!req.method().equals("GET") || !WebSocketHandshake.isAsked(req.headers())) {
      throw upgradeRequired(res, "this is the place of a WebSocket");
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
      throw malformed(which + " is ill-formed");
    }
    if (!res.upgradable()) {
      throw req.hasBody() ? malformed("the request has a body") : noEngine();
    }
    String protocol = offered.stream().filter(protocols::contains).findFirst().orElse("");
    return new SocketHandshake(protocol, compression ? extension : "", System.nanoTime());
  }

  /** Writes what was agreed on. */
  void answer(Request req, Response res) {
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
    List<String> versions = req.headers().all(VERSION);
    if (versions.size() != 1) {
      res.set(VERSION, WebSocketHandshake.VERSION);
      throw malformed(VERSION + (versions.isEmpty() ? " is missing" : " stands twice"));
    }
    if (!versions.get(0).strip().equals(WebSocketHandshake.VERSION)) {
      throw upgradeRequired(res, "version 13 of WebSockets is spoken here");
    }
  }

  private static void checkKey(Request req) {
    List<String> keys = req.headers().all("Sec-WebSocket-Key");
    if (keys.size() != 1) {
      throw malformed("Sec-WebSocket-Key " + (keys.isEmpty() ? "is missing" : "stands twice"));
    }
    if (!WebSocketHandshake.isKey(keys.get(0))) {
      throw malformed("Sec-WebSocket-Key is not 16 bytes in base64");
    }
  }

  /** A page of another site must not speak for its visitors; what is no browser names no origin. */
  private static void checkOrigin(Request req, Set<String> origins) {
    List<String> sent = req.headers().all("Origin");
    if (sent.isEmpty() || origins.contains("*")) {
      return;
    }
    String origin = sent.get(0);
    boolean known =
        sent.size() == 1
            && (origins.contains(origin.toLowerCase(Locale.ROOT))
                || WebSocketHandshake.isOwnOrigin(origin, req.authority()));
    if (!known) {
      throw new HttpError(
          403, "pages of another origin open no socket here", "websocket.origin", null);
    }
  }

  private static void checkConnection(Request req) {
    boolean goesOn =
        ConnectionOptions.upgrade(req.headers())
            && !ConnectionOptions.close(req.headers())
            && !req.httpVersion().equals("1.0");
    if (!goesOn) {
      throw malformed("Connection does not say Upgrade");
    }
  }

  private static boolean isMultiplexed(Request req) {
    return req.httpVersion().startsWith("2");
  }

  private static HttpError noEngine() {
    return new HttpError(
        501,
        "this engine hands no connections over; percolate-nio does, in the place of the other"
            + " engine or chosen by -Dpercolate.engine=nio",
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
