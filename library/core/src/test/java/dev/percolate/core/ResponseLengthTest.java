package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.percolate.http.HttpError;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The length that a response announces: RFC 9110 section 8.6. */
final class ResponseLengthTest {

  private final FakeExchange exchange = new FakeExchange();
  private final Response res = exchange.response();

  @ParameterizedTest
  @ValueSource(strings = {"3", "0", "5", "99", "999999999999999999"})
  void aWrongLengthOfAWholeBodyIsCorrected(String length) {
    for (String kind : List.of("text", "bytes", "end", "end bytes")) {
      FakeExchange one = new FakeExchange();
      Response whole = one.response().set("Content-Length", length);
      switch (kind) {
        case "text" -> whole.send("hello");
        case "bytes" -> whole.send("hello".getBytes(StandardCharsets.UTF_8));
        case "end" -> whole.end("hello");
        default -> whole.end("hello".getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(List.of("start", "end"), one.calls, kind);
      assertEquals("" + one.bytes().length, one.header("Content-Length"), kind);
      assertEquals(one.header("Content-Length"), whole.get("Content-Length"), kind);
    }
  }

  @Test
  void aWrongLengthOfAFileSetByAHookIsCorrected(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("a.txt"), "12345");
    res.onHeaders(() -> res.set("Content-Length", "3"));
    res.sendFile(file);
    assertEquals("12345 5", exchange.body() + " " + exchange.header("Content-Length"));
    Files.delete(file); // fails if the file is still open, on some systems
  }

  @Test
  void aWrongLengthSetByAHookIsCorrected() {
    res.onHeaders(() -> res.set("Content-Length", "3"));
    res.send("hello");
    assertEquals("hello 5", exchange.body() + " " + exchange.header("Content-Length"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"write", "stream"})
  void anErrorHandlerRespondsIfTheFirstChunkIsTooLong(String kind) {
    byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
    Handler handler =
        (req, res) -> {
          res.set("Content-Length", "3");
          Response ignored =
              kind.equals("write") ? res.write(body) : res.send(new ByteArrayInputStream(body));
        };
    assertEquals("500 error", played(handler));
    assertNull(exchange.header("Content-Length"), "the length of the failed response");
  }

  @Test
  void aLaterChunkThatIsTooLongClosesTheConnection() {
    assertEquals(
        "200 abc", played((req, res) -> res.set("Content-Length", "5").write("abc").write("def")));
    assertEquals(List.of("start", "write", "abort"), exchange.calls);
  }

  @Test
  void tooFewBytesCloseTheConnection() throws Exception {
    res.set("Content-Length", "5").write("abc");
    assertThrows(IllegalStateException.class, () -> res.end("d"));
    assertEquals(List.of("start", "write", "abort"), exchange.calls);
  }

  @ParameterizedTest
  @CsvSource({"hello,5", "'',99"})
  void headHasTheLengthOfTheBodyForGet(String body, String length) {
    FakeExchange head = FakeExchange.of("HEAD", "/");
    head.response().set("Content-Length", "99").end(body);
    assertEquals("200 " + length, head.status + " " + head.header("Content-Length"));
    FakeExchange sent = FakeExchange.of("HEAD", "/");
    sent.response().set("Content-Length", "99").send("hello");
    assertEquals("5", sent.header("Content-Length"));
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void aResponseThatNeverHasABodyHasNoLength(int status) {
    res.status(status).set("Content-Length", "5").set("Transfer-Encoding", "chunked").end();
    assertNull(exchange.header("Content-Length"));
    assertNull(exchange.header("Transfer-Encoding"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "GET"})
  void aResponseThatFailsBeforeAnythingIsSentIsA500(String method) {
    exchange.method = method;
    String status =
        played(
            (req, res) -> {
              res.set("ETag", "\"a\"").set("Cache-Control", "max-age=60").set("X-Kept", "1");
              if (method.equals("GET")) {
                res.status(204); // also has no body
              }
              res.write("half");
              throw new IOException("in the middle");
            });
    assertEquals("500 ", status);
    assertEquals(List.of("start", "end"), exchange.calls);
    assertEquals("X-Kept: 1\nContent-Length: 0\n", String.valueOf(exchange.headers));
  }

  @Test
  void theResponseReturnsTheReplacedStatusAndHeaders() throws Exception {
    FakeExchange head = FakeExchange.of("HEAD", "/");
    Response res = head.response().set("X-Kept", "1");
    res.write("half");
    assertFalse(res.finished());
    ErrorResponse.abort(res);
    assertEquals(
        "500 true 0", res.status() + " " + res.finished() + " " + res.get("Content-Length"));
    assertThrows(IllegalStateException.class, () -> res.write("more"));
    ErrorResponse.abort(res);
    assertEquals(List.of("start", "end"), head.calls);
  }

  @Test
  void aResponseThatFailsAfterItsFirstBytesIsCutOff() {
    assertEquals(
        "200 half",
        played(
            (req, res) -> {
              res.write("half");
              throw new IOException("in the middle");
            }));
    assertEquals(List.of("start", "write", "abort"), exchange.calls);
  }

  /** Returns the response of a handler that is followed by an error handler. */
  private String played(Handler handler) {
    Request req = exchange.request();
    ErrorHandler shown =
        (error, failed, response, next) -> {
          if (response.headersSent()) {
            next.fail(error);
          } else {
            int status = error instanceof HttpError known ? known.status() : 500;
            response.status(status).end("error");
          }
        };
    exchange.executor.execute(
        () ->
            Chain.of(handler, shown).handle(req, req.response(), new FinalHandler(req.response())));
    return exchange.status + " " + exchange.body();
  }
}
