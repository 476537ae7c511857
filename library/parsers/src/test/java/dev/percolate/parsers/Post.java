package dev.percolate.parsers;

import dev.percolate.testkit.TestExchange;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Requests with a body. */
final class Post {

  private Post() {}

  static TestExchange untyped() {
    return TestExchange.of("POST", "/");
  }

  static TestExchange of(String contentType) {
    return untyped().header("Content-Type", contentType);
  }

  /** Creates a request with one chunk of UTF-8 and its Content-Length. */
  static TestExchange of(String contentType, String body) {
    return of(contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  static TestExchange of(String contentType, byte[] body) {
    return of(contentType).length(body.length).chunk(body);
  }

  /** Creates a compressed request, from Base64. */
  static TestExchange of(String contentType, String encoding, String base64) {
    return of(contentType, Base64.getDecoder().decode(base64)).header("Content-Encoding", encoding);
  }
}
