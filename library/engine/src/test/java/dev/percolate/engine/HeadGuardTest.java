package dev.percolate.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.percolate.http.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HeadGuardTest {

  private static final ListenOptions OPTIONS = ListenOptions.ofPort(0).maxHeaders(3);

  private static int rejection(String method, String target, String... headers) {
    Headers received = new Headers();
    for (int i = 0; i < headers.length; i += 2) {
      received.addReceived(headers[i], headers[i + 1]);
    }
    return HeadGuard.rejection("1.1", method, target, received, OPTIONS);
  }

  @Test
  void anOrdinaryHeadIsAccepted() {
    assertEquals(0, rejection("GET", "/x", "Host", "a:80"));
    assertEquals(0, rejection("get", "http://b/x", "host", "a"));
    assertEquals(0, rejection("OPTIONS", "*", "Host", "a"));
    assertEquals(0, rejection("TRACE", "/", "Host", "a"));
  }

  @Test
  void http11RequiresExactlyOneHost() {
    assertEquals(400, rejection("GET", "/"));
    assertEquals(400, rejection("GET", "/", "Host", "a", "HOST", "a"));
    Headers none = new Headers();
    assertEquals(0, HeadGuard.rejection("1.0", "GET", "/", none, OPTIONS));
    assertEquals(400, HeadGuard.rejection("1.2", "GET", "/", none, OPTIONS));
    assertEquals(400, HeadGuard.rejection("2.0", "GET", "/", none, OPTIONS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0", "1.1", "1.9", "2.0"})
  void anEmptyHostIsRejectedInEachVersion(String version) {
    for (String host : new String[] {"", ":8080", ":"}) {
      Headers headers = new Headers().addReceived("Host", host);
      assertEquals(400, HeadGuard.rejection(version, "GET", "/", headers, OPTIONS), host);
      assertEquals(400, HeadGuard.rejection(version, "OPTIONS", "*", headers, OPTIONS), host);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a/b?c", "u:p@a", "[::1", "a:99999", "a,", "a\\b", "a#"})
  void theHostMustBeValid(String host) {
    assertEquals("a,".equals(host) ? 0 : 400, rejection("GET", "/", "Host", host));
  }

  @Test
  void theTargetMustBeValid() {
    assertEquals(400, rejection("GET", "*", "Host", "a"));
    assertEquals(400, rejection("GET", "x", "Host", "a"));
    assertEquals(400, rejection("GET", "/\u00ff", "Host", "a"));
    assertEquals(400, rejection("GET", "http://u@b/", "Host", "a"));
  }

  @Test
  void connectIsRejected() {
    assertEquals(501, rejection("CONNECT", "b:443", "Host", "b:443"));
    assertEquals(501, rejection("CONNECT", "/", "Host", "b"));
  }

  @Test
  void theOnlyTransferEncodingIsChunked() {
    assertEquals(0, rejection("POST", "/", "Host", "a", "Transfer-Encoding", "Chunked"));
    assertEquals(400, rejection("POST", "/", "Host", "a", "Transfer-Encoding", ",chunked"));
    assertEquals(400, rejection("POST", "/", "Host", "a", "Transfer-Encoding", "identity"));
    assertEquals(501, rejection("POST", "/", "Host", "a", "Transfer-Encoding", "gzip, chunked"));
  }

  @Test
  void emptyNamesUnknownExpectationsAndTooManyLinesAreRejected() {
    assertEquals(400, rejection("GET", "/", "Host", "a", "", "x"));
    assertEquals(0, rejection("GET", "/", "Host", "a", "Expect", "100-Continue"));
    assertEquals(417, rejection("GET", "/", "Host", "a", "Expect", "200-ok"));
    assertEquals(431, rejection("GET", "/", "Host", "a", "X", "1", "X", "2", "X", "3"));
  }

  @Test
  void theStatusCodeOfALongHeadDependsOnThePartThatIsTooLong() {
    ListenOptions options = ListenOptions.ofPort(0).maxTargetLength(64).maxHeaderBytes(256);
    Headers fits = Headers.of("Host", "x".repeat(248));
    assertEquals(0, HeadGuard.tooLong("G".repeat(64), "/" + "x".repeat(63), fits, options));
    assertEquals(414, HeadGuard.tooLong("GET", "/" + "x".repeat(64), fits, options));
    assertEquals(400, HeadGuard.tooLong("G".repeat(65), "/", fits, options));
    assertEquals(431, HeadGuard.tooLong("GET", "/", Headers.of("Host", "x".repeat(249)), options));
  }

  @Test
  void aRejectionClosesTheConnectionAndHasARetryTime() {
    Headers bad = HeadGuard.rejectionHeaders(400);
    assertEquals("close", bad.get("Connection"));
    assertEquals("0", bad.get("Content-Length"));
    assertNull(bad.get("Retry-After"));
    assertEquals("1", HeadGuard.rejectionHeaders(503).get("Retry-After"));
  }
}
