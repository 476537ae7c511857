package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.percolate.http.WebSocketHandshake;
import java.util.Base64;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The request that begins a conversation, with its bytes and its expected response. */
final class LiveRequest {

  private static final String DEFLATE = "permessage-deflate";

  final LiveKind kind;
  final String id;
  final byte[] bytes;
  private final @Nullable String key;

  /**
   * Creates a request.
   *
   * @param query the query, perhaps empty
   * @param lastId the id of the topic's message that was seen last, or 0
   */
  LiveRequest(SplittableRandom random, LiveKind kind, String id, String query, long lastId) {
    this.kind = kind;
    this.id = id;
    String target = "/" + kind.text() + query;
    String headers = "X-Id: " + id + "\r\n";
    if (kind.isSocket()) {
      byte[] nonce = new byte[16];
      random.nextBytes(nonce);
      key = Base64.getEncoder().encodeToString(nonce);
      headers +=
          "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Key: "
              + key
              + "\r\n";
      headers += random.nextBoolean() ? "Sec-WebSocket-Extensions: " + DEFLATE + "\r\n" : "";
      target += lastId > 0 ? "?lastEventId=" + lastId : "";
    } else {
      key = null;
      headers += lastId > 0 ? "Last-Event-ID: " + lastId + "\r\n" : "";
    }
    bytes =
        ("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n")
            .getBytes(US_ASCII);
  }

  /** Returns the fault of the response's head, or null. */
  @Nullable String fault(FramedResponse head) {
    int right = kind.isSocket() ? 101 : 200;
    if (head.status() != right) {
      return "status " + head.status() + " for " + right;
    }
    if (!id.equals(head.header("x-id"))) {
      return "the response to " + head.header("x-id");
    }
    if (key != null) {
      String accept = WebSocketHandshake.accept(key);
      return accept.equals(head.header("sec-websocket-accept")) ? null : "wrong accept key";
    }
    boolean chunked = "chunked".equals(head.header("transfer-encoding"));
    boolean events = "text/event-stream".equals(head.header("content-type"));
    return chunked && events ? null : "not an event stream";
  }

  /** Returns true if compression was negotiated. */
  static boolean isCompressed(FramedResponse head) {
    String agreed = head.header("sec-websocket-extensions");
    return agreed != null && agreed.startsWith(DEFLATE);
  }

  @Override
  public String toString() {
    return kind.text() + " " + id;
  }
}
