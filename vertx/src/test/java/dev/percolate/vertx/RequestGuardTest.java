package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.http.Headers;
import io.vertx.core.http.HttpVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestGuardTest {

  private static int refusal(String method, String target, String... headers) {
    Headers received = new Headers();
    for (int i = 0; i < headers.length; i += 2) {
      received.addReceived(headers[i], headers[i + 1]);
    }
    return RequestGuard.refusal(HttpVersion.HTTP_1_1, method, target, received, 3);
  }

  @Test
  void anOrdinaryHeadEnters() {
    assertEquals(0, refusal("GET", "/x", "Host", "a:80"));
    assertEquals(0, refusal("get", "http://b/x", "host", "a"));
    assertEquals(0, refusal("OPTIONS", "*", "Host", ""));
    assertEquals(0, refusal("TRACE", "/", "Host", "a"));
  }

  @Test
  void exactlyOneHostIsNeededSinceHttp11() {
    assertEquals(400, refusal("GET", "/"));
    assertEquals(400, refusal("GET", "/", "Host", "a", "HOST", "a"));
    Headers none = new Headers();
    assertEquals(0, RequestGuard.refusal(HttpVersion.HTTP_1_0, "GET", "/", none, 3));
    assertEquals(0, RequestGuard.refusal(HttpVersion.HTTP_2, "GET", "/", none, 3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a/b?c", "u:p@a", "[::1", "a:99999", "a,", "a\\b", "a#"})
  void aHostIsOne(String host) {
    assertEquals("a,".equals(host) ? 0 : 400, refusal("GET", "/", "Host", host));
  }

  @Test
  void aTargetIsOne() {
    assertEquals(400, refusal("GET", "*", "Host", "a"));
    assertEquals(400, refusal("GET", "x", "Host", "a"));
    assertEquals(400, refusal("GET", "/\u00ff", "Host", "a"));
    assertEquals(400, refusal("GET", "http://u@b/", "Host", "a"));
  }

  @Test
  void nobodyIsConnected() {
    assertEquals(501, refusal("CONNECT", "b:443", "Host", "b:443"));
    assertEquals(501, refusal("CONNECT", "/", "Host", "b"));
  }

  @Test
  void whatIsChunkedIsChunkedOnly() {
    assertEquals(0, refusal("POST", "/", "Host", "a", "Transfer-Encoding", "Chunked"));
    assertEquals(400, refusal("POST", "/", "Host", "a", "Transfer-Encoding", ",chunked"));
    assertEquals(400, refusal("POST", "/", "Host", "a", "Transfer-Encoding", "identity"));
    assertEquals(501, refusal("POST", "/", "Host", "a", "Transfer-Encoding", "gzip, chunked"));
  }

  @Test
  void namesAreNotEmptyExpectationsKnownAndLinesCounted() {
    assertEquals(400, refusal("GET", "/", "Host", "a", "", "x"));
    assertEquals(0, refusal("GET", "/", "Host", "a", "Expect", "100-Continue"));
    assertEquals(417, refusal("GET", "/", "Host", "a", "Expect", "200-ok"));
    assertEquals(431, refusal("GET", "/", "Host", "a", "X", "1", "X", "2", "X", "3"));
  }
}
