package dev.percolate.parsers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.http.HttpError;
import dev.percolate.testkit.TestExchange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

/** Interprets the bytes of a fuzzer as a line with two headers, and a body. */
final class FuzzBody {

  private final String type;
  private final String encoding;
  private final byte[] body;

  /**
   * Splits bytes into line and body.
   *
   * @param fallback the type of a body without a line
   */
  FuzzBody(byte[] data, String fallback) {
    int end = 0;
    while (end < data.length && data[end] != '\n') {
      end++;
    }
    boolean headed = end < data.length;
    String line = headed ? new String(data, 0, end, StandardCharsets.ISO_8859_1) : "";
    line = line.replaceAll("\\p{Cntrl}", " "); // engines accept no others
    int bar = line.indexOf('|');
    type = line.isEmpty() ? fallback : bar < 0 ? line : line.substring(0, bar);
    encoding = bar < 0 ? "" : line.substring(bar + 1);
    body = headed ? Arrays.copyOfRange(data, end + 1, data.length) : data;
  }

  byte[] bytes() {
    return body;
  }

  /** Sends the body whole and in chunks; the value or the error must be the same. */
  Recorder sendThrough(Middleware parser) {
    Recorder whole = Recorder.play(exchange(), parser);
    Recorder cut = Recorder.play(exchange().chunkSize(1 + body.length % 7).chunked(), parser);
    for (Recorder seen : new Recorder[] {whole, cut}) {
      assertEquals(1, seen.calls);
      assertTrue(seen.error == null || seen.error instanceof HttpError, () -> "" + seen.error);
    }
    if (whole.error == null || cut.error == null) {
      assertTrue(Objects.deepEquals(whole.body(), cut.body()), () -> "in pieces " + cut.body);
    } else if (whole.error().status() != 413 || cut.error().status() != 415) {
      // A declared length is rejected before the charset is checked.
      assertEquals(whole.error().status(), cut.error().status());
      assertEquals(whole.error().type(), cut.error().type());
    }
    return whole;
  }

  private TestExchange exchange() {
    TestExchange exchange = Post.of(type, body);
    return encoding.isEmpty() ? exchange : exchange.header("Content-Encoding", encoding);
  }
}
