package dev.percolate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BodyErrorsTest {

  private static void assertError(
      HttpError error, int status, String type, String message, Map<String, ?> fields) {
    assertEquals(status, error.status());
    assertEquals(type, error.type());
    assertEquals(message, error.getMessage());
    assertEquals(new TreeMap<>(fields), new TreeMap<>(error.fields()));
  }

  @Test
  void errorsForBodiesThatAreTooLarge() {
    String message = "request entity too large";
    assertError(BodyErrors.tooLarge(10), 413, "entity.too.large", message, Map.of("limit", 10L));
    assertError(
        BodyErrors.tooLarge(10, 12),
        413,
        "entity.too.large",
        message,
        Map.of("limit", 10L, "length", 12L, "expected", 12L));
  }

  @Test
  void errorsForIncompleteBodies() {
    IOException cause = new IOException("gone");
    HttpError announced = BodyErrors.aborted(cause, 3, 5);
    assertError(
        announced,
        400,
        "request.aborted",
        "request aborted",
        Map.of("code", "ECONNABORTED", "received", 3L, "length", 5L, "expected", 5L));
    assertSame(cause, announced.getCause());
    assertEquals(0L, BodyErrors.aborted(cause, 0, 0).field("length"));
    HttpError open = BodyErrors.aborted(cause, 3, -1);
    assertNull(open.field("length"));
    assertNull(open.field("expected"));
    assertError(
        BodyErrors.sizeMismatch(3, 5),
        400,
        "request.size.invalid",
        "request size did not match content length",
        Map.of("received", 3L, "length", 5L, "expected", 5L));
  }

  @Test
  void errorsNameUnknownCharsetsAndEncodings() {
    assertError(
        BodyErrors.charset("x-1"),
        415,
        "charset.unsupported",
        "unsupported charset \"X-1\"",
        Map.of("charset", "x-1"));
    assertError(
        BodyErrors.encoding("lz4"),
        415,
        "encoding.unsupported",
        "unsupported content encoding \"lz4\"",
        Map.of("encoding", "lz4"));
    assertError(
        BodyErrors.encodingOff("gzip"),
        415,
        "encoding.unsupported",
        "content encoding unsupported",
        Map.of("charset", "gzip", "encoding", "gzip"));
  }

  @Test
  void namesAreEscapedAndCutOffAfter40Characters() {
    assertEquals(
        "unsupported content encoding \"" + LogText.escape("a\nb") + '"',
        BodyErrors.encoding("a\nb").getMessage());
    String forty = "x".repeat(40);
    assertEquals(
        "unsupported content encoding \"" + forty + '"', BodyErrors.encoding(forty).getMessage());
    HttpError longer = BodyErrors.encoding(forty + 'y');
    assertEquals("unsupported content encoding \"" + forty + '"', longer.getMessage());
    assertEquals(forty + 'y', longer.field("encoding"));
  }

  @Test
  void errorsForBodiesThatCannotBeParsed() {
    Exception cause = new IllegalArgumentException();
    HttpError undecodable = BodyErrors.undecodable("no gzip", cause);
    assertEquals(400, undecodable.status());
    assertNull(undecodable.type());
    assertEquals("no gzip", undecodable.getMessage());
    assertSame(cause, undecodable.getCause());
    HttpError unparsable = BodyErrors.unparsable("no JSON", "{", cause);
    assertError(unparsable, 400, "entity.parse.failed", "no JSON", Map.of("body", "{"));
    assertSame(cause, unparsable.getCause());
  }

  @Test
  void memoryErrorsHaveNoStackTrace() {
    HttpError noRoom = BodyErrors.memoryUnavailable();
    assertError(noRoom, 503, "memory.unavailable", "not enough memory for the body", Map.of());
    assertEquals(0, noRoom.getStackTrace().length);
    assertTrue(BodyErrors.isMemoryUnavailable(noRoom));
    assertFalse(BodyErrors.isMemoryUnavailable(new HttpError(503)));
  }
}
