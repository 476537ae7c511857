package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.http.HttpError;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseSendTest {

  private static final String HELLO = "hello, world!";
  private static final String HELLO_TAG = "W/\"d-c58988d13ce8f3c63\"";

  private final FakeExchange exchange = new FakeExchange().setting("etag", "weak");
  private final Response res = exchange.response();

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void textIsHtmlInUtf8WithLengthAndTag() {
    res.send(HELLO);
    assertEquals(200, exchange.status);
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("13", exchange.header("Content-Length"));
    assertEquals(HELLO_TAG, exchange.header("ETag"));
    assertEquals(HELLO, exchange.body());
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  void theLengthCountsBytesNotCharacters() {
    res.send("\u20ac\uD83D\uDE00");
    assertEquals("7", exchange.header("Content-Length"));
  }

  @Test
  void bytesAreAnOctetStreamUnlessATypeIsSet() {
    res.send(utf8(HELLO));
    assertEquals("application/octet-stream", exchange.header("Content-Type"));
    assertEquals(HELLO_TAG, exchange.header("ETag"));
    FakeExchange other = new FakeExchange();
    other.response().set("Content-Type", "Text/Plain;Charset=latin1").send(new byte[] {1, 2});
    assertEquals("Text/Plain;Charset=latin1", other.header("Content-Type"));
    assertArrayEquals(new byte[] {1, 2}, other.bytes());
  }

  @Test
  void nullIsAnEmptyBodyWithoutAType() {
    res.send(null);
    assertNull(exchange.header("Content-Type"));
    assertEquals("0", exchange.header("Content-Length"));
    assertEquals("W/\"0-c0\"", exchange.header("ETag"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/plain|text/plain; charset=utf-8",
        "text/plain; charset=ISO-8859-1|text/plain; charset=utf-8",
        "application/json|application/json; charset=utf-8",
        "Text/X-Note;  Version=\"1\"; Charset=ASCII; a=\"b c\"|"
            + "text/x-note; a=\"b c\"; charset=utf-8; version=1"
      })
  void theTypeOfTextGetsTheCharsetUtf8(String set, String sent) {
    res.set("Content-Type", set).send("x");
    assertEquals(sent, exchange.header("Content-Type"));
  }

  @Test
  void aMalformedTypeFailsAndAnotherResponseIsPossible() {
    res.set("Content-Type", "text");
    assertThrows(IllegalArgumentException.class, () -> res.send("x"));
    assertFalse(res.headersSent());
    res.set("Content-Type", "text/plain").send("y");
    assertEquals("y", exchange.body());
  }

  @Test
  void withALengthSetByTheHandlerThereIsNoTag() {
    res.set("Content-Length", "13").send(HELLO);
    assertEquals("13", exchange.header("Content-Length"));
    assertNull(exchange.header("ETag"));
    assertEquals(HELLO, exchange.body());
  }

  @Test
  void aTagSetByTheHandlerIsKept() {
    res.set("ETag", "\"mine\"").send(HELLO);
    assertEquals("\"mine\"", exchange.header("ETag"));
  }

  @Test
  void theSettingDefinesTheTag() {
    FakeExchange strong = new FakeExchange().setting("etag", "strong");
    strong.response().send(HELLO);
    assertEquals("\"d-Otu60XkfuuPskIiUxJY4cA\"", strong.header("ETag"));
    FakeExchange digest = new FakeExchange().setting("etag", true).setting("etag hash", "md5");
    digest.response().send(HELLO);
    assertEquals("W/" + strong.header("ETag"), digest.header("ETag"));
    FakeExchange none = new FakeExchange().setting("etag", false);
    none.response().send(HELLO);
    assertNull(none.header("ETag"));
    ETagFunction own =
        (body, encoding) -> body instanceof String ? "\"" + body + encoding + "\"" : null;
    FakeExchange text = new FakeExchange().setting("etag", own);
    text.response().send("x");
    assertEquals("\"xutf8\"", text.header("ETag"));
    FakeExchange bytes = new FakeExchange().setting("etag", own);
    bytes.response().send(new byte[1]);
    assertNull(bytes.header("ETag"));
  }

  @ParameterizedTest
  @CsvSource({"POST,200", "GET,404", "PUT,500"})
  void everyMethodAndStatusHasATag(String method, int status) {
    exchange.method = method;
    exchange.response().send(status, HELLO);
    assertEquals(HELLO_TAG, exchange.header("ETag"));
    assertEquals(status, exchange.status);
  }

  @Test
  void aMatchingCopyIsA304WithoutTypeLengthAndBody() {
    exchange.sent.add("If-None-Match", HELLO_TAG);
    res.set("X-Kept", "1").set("Transfer-Encoding", "x").send(HELLO);
    assertEquals(304, exchange.status);
    assertNull(exchange.header("Content-Type"));
    assertNull(exchange.header("Content-Length"));
    assertNull(exchange.header("Transfer-Encoding"));
    assertEquals(HELLO_TAG, exchange.header("ETag"));
    assertEquals("1", exchange.header("X-Kept"));
    assertEquals("", exchange.body());
  }

  @ParameterizedTest
  @CsvSource({"POST,200", "GET,404"})
  void otherMethodsAndStatusesAreNeverFresh(String method, int status) {
    exchange.method = method;
    exchange.sent.add("If-None-Match", HELLO_TAG);
    exchange.response().send(status, HELLO);
    assertEquals(status, exchange.status);
    assertEquals(HELLO, exchange.body());
  }

  @Test
  void a204HasNoTypeLengthAndBody() {
    res.send(204, HELLO);
    assertEquals(204, exchange.status);
    assertNull(exchange.header("Content-Type"));
    assertNull(exchange.header("Content-Length"));
    assertEquals(HELLO_TAG, exchange.header("ETag"));
    assertEquals("", exchange.body());
  }

  @Test
  void headHasAllHeadersAndNoBody() {
    exchange.method = "HEAD";
    exchange.response().send(HELLO);
    assertEquals("13", exchange.header("Content-Length"));
    assertEquals(HELLO_TAG, exchange.header("ETag"));
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("", exchange.body());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 404, 0})
  void aNumberIsRejectedWithBothAlternatives(int number) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> res.send(number)).getMessage();
    assertTrue(message.contains("sendStatus(" + number + ")"), message);
    assertTrue(message.contains("json(" + number + ")"), message);
    assertFalse(res.headersSent());
  }

  @Test
  void aNumberAfterAStatusAndOtherValuesAreJson() {
    for (Object body : List.of(5, true, List.of(1))) {
      FakeExchange other = new FakeExchange();
      String message =
          assertThrows(IllegalStateException.class, () -> other.response().send(200, body))
              .getMessage();
      assertTrue(message.contains("no JsonCodec found"), message);
    }
  }

  @ParameterizedTest
  @CsvSource({"200,OK", "404,Not Found", "418,I'm a Teapot", "299,299", "599,599"})
  void sendStatusSendsTheReasonPhraseOrNumberAsPlainText(int code, String body) {
    res.sendStatus(code);
    assertEquals(code, exchange.status);
    assertEquals(body, exchange.body());
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
  }

  @Test
  void sendStatusKeepsATypeThatWasSet() {
    res.type("html").sendStatus(404);
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
  }

  @Test
  void endSetsNeitherTypeNorTag() {
    res.end(HELLO);
    assertNull(exchange.header("Content-Type"));
    assertNull(exchange.header("ETag"));
    assertEquals(HELLO, exchange.body());
  }

  @Test
  void halfASurrogatePairIsSentAsTheReplacementCharacter() throws Exception {
    FakeExchange sent = new FakeExchange().setting("etag", "weak");
    sent.response().send("a\uD83D");
    assertArrayEquals(utf8("a\uFFFD"), sent.bytes());
    assertEquals("4", sent.header("Content-Length"));
    FakeExchange whole = new FakeExchange().setting("etag", "weak");
    whole.response().send("a\uFFFD");
    assertEquals(whole.header("ETag"), sent.header("ETag"));
    res.write("\uDE00").end("\uD83D");
    assertArrayEquals(utf8("\uFFFD\uFFFD"), exchange.bytes());
    FakeExchange page = FakeExchange.of("GET", "/\uD83D");
    Request req = page.request();
    new FinalHandler(req.response()).run();
    assertEquals("Cannot GET /\uFFFD\n", page.body());
  }

  @Test
  void aFailedResponseLeavesNoLengthForTheNext() {
    res.onHeaders(
        () -> {
          throw new IllegalStateException("hook");
        });
    assertThrows(IllegalStateException.class, () -> res.send("short"));
    res.send(500, HELLO);
    assertEquals("13", exchange.header("Content-Length"));
    assertEquals(HELLO_TAG, exchange.header("ETag"));
    assertEquals(HELLO, exchange.body());
    assertFalse(exchange.calls.contains("abort"));
  }

  @Test
  void headerHooksRunOnceInReverseOrderAndMayChangeHeaders() {
    res.onHeaders(() -> res.set("X-Order", res.get("X-Order") + "1"));
    res.onHeaders(() -> res.set("X-Order", "2"));
    res.send("x");
    assertEquals("21", exchange.header("X-Order"));
  }

  @Test
  void aPathIsSentAsAFileWithTypeLengthAndDate(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.txt"), HELLO);
    res.send(file);
    assertEquals("text/plain; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("13", exchange.header("Content-Length"));
    assertEquals(List.of("start", "sendFile 0 13"), exchange.calls);
    FakeExchange again =
        FakeExchange.of("GET", "/", "If-Modified-Since", exchange.header("Last-Modified"));
    again.response().send(file);
    assertEquals(304, again.status);
    assertEquals(List.of("start", "end"), again.calls);
  }

  @Test
  void aMissingFileOrADirectoryIsA404AndAnotherResponseIsPossible(@TempDir Path folder) {
    for (Path path : List.of(folder, folder.resolve("none"))) {
      assertEquals(404, assertThrows(HttpError.class, () -> res.send(path)).status());
    }
    res.send(HELLO);
    assertEquals(HELLO, exchange.body());
  }

  @Test
  void anAbsentBodyHasNeitherTypeNorTag() {
    res.send(JsonCodec.ABSENT);
    assertEquals(List.of("start", "end"), exchange.calls);
    assertEquals(0, res.headers().size());
    assertEquals("", exchange.body());
  }

  @Test
  void allCharSequencesAreText() {
    res.send(CharBuffer.wrap("x"));
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("x", exchange.body());
  }

  @Test
  void aStreamIsCopiedToItsEndAndClosed() {
    byte[] large = new byte[100_000];
    Arrays.fill(large, (byte) 7);
    Watched stream = new Watched(large);
    res.send(stream);
    assertArrayEquals(large, exchange.bytes());
    assertEquals("application/octet-stream", exchange.header("Content-Type"));
    assertNull(exchange.header("Content-Length"));
    assertEquals(1, stream.closed);
    assertTrue(res.finished());
  }

  @ParameterizedTest
  @CsvSource({"HEAD,200", "GET,204"})
  void aStreamIsNotReadIfThereIsNoBody(String method, int status) {
    exchange.method = method;
    Watched stream = new Watched(new byte[9]);
    exchange.response().send(status, stream);
    assertEquals(9, stream.available());
    assertEquals(1, stream.closed);
    assertEquals("", exchange.body());
    assertEquals(status, exchange.status);
  }

  @Test
  void afterAFailedStreamAnotherResponseIsPossible() throws Exception {
    InputStream closed = new BufferedInputStream(InputStream.nullInputStream());
    closed.close();
    assertThrows(UncheckedIOException.class, () -> res.send(closed));
    assertFalse(res.headersSent());
    res.send(HELLO);
    assertEquals(HELLO, exchange.body());
  }

  private static final class Watched extends ByteArrayInputStream {
    int closed;

    Watched(byte[] bytes) {
      super(bytes);
    }

    @Override
    public void close() {
      closed++;
    }
  }
}
