package dev.percolate.reliability;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.percolate.http.WebSocketHandshake;
import java.util.Base64;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The request that begins a conversation, as it goes over the wire, and what is right for it. */
final class LiveRequest {

  private static final String DEFLATE = "permessage-deflate";

  final LiveKind kind;
  final String id;
  final byte[] bytes;
  private final @Nullable String key;

  /**
   * Creates one.
   *
   * @param query what it asks for, perhaps empty
   * @param lastId the id of the topic's message that was seen last; 0 for none
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

  /** Returns what is wrong about the head of its answer; null if it is right. */
  @Nullable String fault(FramedAnswer head) {
    int right = kind.isSocket() ? 101 : 200;
    if (head.status() != right) {
      return "status " + head.status() + " for " + right;
    }
    if (!id.equals(head.header("x-id"))) {
      return "the answer to " + head.header("x-id");
    }
    if (key != null) {
      String accept = WebSocketHandshake.accept(key);
      return accept.equals(head.header("sec-websocket-accept")) ? null : "not accepted";
    }
    boolean chunked = "chunked".equals(head.header("transfer-encoding"));
    boolean events = "text/event-stream".equals(head.header("content-type"));
    return chunked && events ? null : "no stream of events";
  }

  /** Tells whether compression was agreed on. */
  static boolean isCompressed(FramedAnswer head) {
    String agreed = head.header("sec-websocket-extensions");
    return agreed != null && agreed.startsWith(DEFLATE);
  }

  @Override
  public String toString() {
    return kind.text() + " " + id;
  }
}
