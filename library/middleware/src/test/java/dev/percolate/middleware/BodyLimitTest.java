package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BodyLimitTest {

  private static final Handler ECHO =
      (req, res) -> res.send(new String(req.inputStream().readAllBytes(), StandardCharsets.UTF_8));
  private static final Handler UNREAD = (req, res) -> res.send("unread");

  @ParameterizedTest
  @CsvSource({"5,5", "1kb,1024", "1.5 KB,1536", "0,0", "2b,2"})
  void aLengthBeyondTheLimitIsRejected(String size, int bytes) {
    BodyLimit limit = BodyLimit.of(size);
    String body = "x".repeat(bytes);
    assertEquals("200 " + body, Played.outcome(Call.post("/").body(body), limit, ECHO));
    assertEquals(
        "413 Payload Too Large", Played.outcome(Call.post("/").body(body + "y"), limit, ECHO));
  }

  @Test
  void aLengthOfTooManyDigitsIsRejected() {
    Call call = Call.post("/").header("Content-Length", "9".repeat(30));
    assertEquals("413 Payload Too Large", Played.outcome(call, BodyLimit.of(9), UNREAD));
  }

  @Test
  void aChunkedBodyBeyondTheLimitClosesTheConnection() {
    AtomicReference<Throwable> seen = new AtomicReference<>();
    Handler reader =
        (req, res) -> {
          try {
            res.send(new String(req.inputStream().readAllBytes(), StandardCharsets.UTF_8));
          } catch (ClientDisconnectedException e) {
            seen.set(e);
            throw e;
          }
        };
    Reply reply = Played.reply(Call.post("/").chunked().body("123456"), BodyLimit.of(5), reader);
    assertTrue(reply.aborted());
    assertTrue(seen.get() instanceof ClientDisconnectedException);
    assertEquals(
        "200 12345",
        Played.outcome(Call.post("/").chunked().body("12345"), BodyLimit.of(5), reader));
  }

  @Test
  void anUnreadBodyIsNotCounted() {
    Call call = Call.post("/").chunked().body("123456");
    assertEquals("200 unread", Played.outcome(call, BodyLimit.of(5), UNREAD));
  }

  @Test
  void theFirstLimitApplies() {
    Call call = Call.post("/").chunked().body("123456");
    assertEquals("200 123456", Played.outcome(call, BodyLimit.of(6), BodyLimit.of(1), ECHO));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "kb", "10 bananas", "-5", "1.", ".5kb", "1.5.5mb", "5 kib"})
  void invalidSizesAreRejected(String size) {
    assertEquals(
        "body limit must be a size such as \"100kb\", was \"" + size + "\"",
        Played.rejection(() -> BodyLimit.of(size)));
  }

  @Test
  void negativeSizesAreRejected() {
    assertEquals("body limit must be at least 0, was -5", Played.rejection(() -> BodyLimit.of(-5)));
  }
}
