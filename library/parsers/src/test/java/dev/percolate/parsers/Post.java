package dev.percolate.parsers;

import dev.percolate.testkit.PlainExchange;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Requests with a body. */
final class Post {

  private Post() {}

  static PlainExchange untyped() {
    return PlainExchange.of("POST", "/");
  }

  static PlainExchange of(String contentType) {
    return untyped().header("Content-Type", contentType);
  }

  /** Creates a request with one chunk of UTF-8 and its Content-Length. */
  static PlainExchange of(String contentType, String body) {
    return of(contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  static PlainExchange of(String contentType, byte[] body) {
    return of(contentType).length(body.length).piece(body);
  }

  /** Creates a compressed request, from Base64. */
  static PlainExchange of(String contentType, String encoding, String base64) {
    return of(contentType, Base64.getDecoder().decode(base64)).header("Content-Encoding", encoding);
  }
}
