package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Service;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RequestWatchTest {

  private final FakeExchange exchange = new FakeExchange();
  private final AtomicReference<Request> open = new AtomicReference<>();
  private final HttpError late = new HttpError(503, "late");

  @Test
  void anErrorIsPassedOnInsteadOfTheCurrentHandler() {
    serve((req, res, next) -> open.set(req));
    assertTrue(open.get().fail(late));
    assertEquals("handled late", exchange.body());
    assertFalse(open.get().fail(late));
  }

  @Test
  void whileAHandlerRunsTheResponseIsTheDefaultPage() {
    serve(
        (req, res, next) -> {
          assertTrue(req.fail(late));
          assertEquals(503, exchange.status);
          assertThrows(IllegalStateException.class, () -> res.send("own"));
        });
    assertFalse(exchange.body().contains("handled"));
  }

  @Test
  void anExistingResponseIsNotChanged() {
    serve(
        (req, res, next) -> {
          res.write("begun");
          open.set(req);
        });
    assertFalse(open.get().fail(late));
    assertEquals("begun", exchange.body());
    assertFalse(exchange.calls.contains("abort"));
  }

  @Test
  void readingBeyondTheLimitClosesTheConnection() {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Request req = exchange.request();
    req.bodyLimit(5);
    req.bodyLimit(1);
    req.read(
        new ChunkReader() {
          @Override
          public boolean chunk(ByteBuffer bytes) {
            return true;
          }

          @Override
          public void done(@Nullable Throwable reason) {
            failure.set(reason);
          }
        });
    exchange.give("12345");
    assertNull(failure.get());
    exchange.give("6");
    assertTrue(failure.get() instanceof ClientDisconnectedException);
    assertTrue(exchange.calls.contains("abort"));
  }

  @Test
  void settingAnAttributeToNullRemovesIt() {
    Key<String> key = Key.of("x", String.class);
    Request req = exchange.request();
    req.attr(key, "y");
    req.attr(key, null);
    assertNull(req.attrOrNull(key));
  }

  @Test
  void aRequestChangedToHeadKeepsTheFramingThatTheClientExpects() {
    exchange.method = "POST";
    serve(
        (req, res, next) -> {
          req.method("HEAD");
          res.send("body");
        });
    assertEquals("", exchange.body());
    assertEquals("0", exchange.header("Content-Length"));
  }

  @Test
  void aRequestChangedFromHeadHasTheHeadersOfTheBodyButNoBody() throws Exception {
    exchange.method = "HEAD";
    serve(
        (req, res, next) -> {
          req.method("GET");
          res.send("body");
        });
    assertEquals("", exchange.body());
    assertEquals("4", exchange.header("Content-Length"));
  }

  private void serve(Middleware step) {
    ErrorHandler handler = (error, req, res, next) -> res.send("handled " + error.getMessage());
    Service service = Chain.service(new Settings(), step, handler);
    exchange.executor.execute(() -> service.serve(exchange)); // as engines do
  }
}
