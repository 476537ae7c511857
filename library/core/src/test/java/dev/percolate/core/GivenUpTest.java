package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.SerialExecutor;
import dev.percolate.http.HttpError;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses that are sent instead of a handler that continues. */
@Timeout(30)
class GivenUpTest {

  private final HttpError late = new HttpError(503, "late");

  private final FakeExchange exchange = new FakeExchange();

  @Test
  void theResponseKeepsOnlyHeadersThatDoNotDescribeTheBody() {
    serve(
        (req, res, next) -> {
          res.set("Content-Type", "text/csv").set("Content-Length", "5").set("ETag", "\"a\"");
          res.set("Content-Disposition", "attachment").set("Cache-Control", "max-age=60");
          res.set("X-Request-Id", "7").set("Content-Security-Policy", "default-src 'none'");
          assertTrue(req.fail(late));
        });
    assertEquals("text/html; charset=utf-8", exchange.header("Content-Type"));
    assertEquals("" + exchange.bytes().length, exchange.header("Content-Length"));
    assertEquals("7", exchange.header("X-Request-Id"));
    assertEquals("default-src 'none'", exchange.header("Content-Security-Policy"));
    for (String name : List.of("ETag", "Content-Disposition", "Cache-Control")) {
      assertNull(exchange.header(name), name);
    }
  }

  @Test
  void changesDuringTheResponseAreRejected() throws Exception {
    CountDownLatch set = new CountDownLatch(1);
    CountDownLatch hook = new CountDownLatch(1);
    CountDownLatch tried = new CountDownLatch(1);
    AtomicReference<@Nullable String> seen = new AtomicReference<>();
    AtomicReference<Request> open = new AtomicReference<>();
    exchange.executor = new SerialExecutor(task -> new Thread(task).start(), true);
    serve(
        (req, res, next) -> {
          res.set("Content-Length", "5").set("X-Mine", "1");
          open.set(req);
          res.onHeaders(
              () -> {
                res.set("X-Hook", "1");
                hook.countDown();
                await(tried);
              });
          set.countDown();
          hook.await();
          assertThrows(IllegalStateException.class, () -> res.set("Content-Length", "1"));
          assertThrows(IllegalStateException.class, () -> res.append("Content-Length", "1"));
          assertThrows(IllegalStateException.class, () -> res.remove("X-Mine"));
          res.headers().remove("X-Mine");
          res.status(200);
          seen.set(res.get("Content-Length") + res.get("X-Hook"));
          tried.countDown();
        });
    await(set);
    assertTrue(open.get().fail(late));
    assertEquals(503, exchange.status);
    assertEquals("" + exchange.bytes().length, exchange.header("Content-Length"));
    assertEquals("1", exchange.header("X-Hook"));
    assertEquals("1", exchange.header("X-Mine"));
    assertEquals("5null", seen.get());
  }

  @Test
  void statusAndHeadersRemainThoseThatWereSent() {
    AtomicReference<String> logged = new AtomicReference<>();
    serve(
        (req, res, next) -> {
          res.onFinish(() -> logged.set(res.status() + " " + res.get("Content-Length")));
          assertTrue(req.fail(late));
          res.status(201);
          assertThrows(IllegalStateException.class, () -> res.headers().set("Content-Length", "1"));
        });
    exchange.finish(null);
    assertEquals("503 " + exchange.bytes().length, logged.get());
  }

  @Test
  void headersSetConcurrentlyAreNeverSentWithAnotherBody() throws Exception {
    for (int i = 0; i < 300; i++) {
      FakeExchange one = new FakeExchange();
      AtomicBoolean over = new AtomicBoolean();
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch left = new CountDownLatch(1);
      AtomicReference<Request> open = new AtomicReference<>();
      one.executor = new SerialExecutor(task -> new Thread(task).start(), true);
      serve(
          one,
          (req, res, next) -> {
            open.set(req);
            begun.countDown();
            try {
              for (int n = 0; !over.get(); n++) {
                res.set("Content-Length", "" + n % 9).append("X-" + n % 50, "x").status(204);
                res.remove("X-" + n % 30);
              }
            } catch (IllegalStateException rejected) {
              // as expected
            }
            left.countDown();
          });
      await(begun);
      assertTrue(open.get().fail(late));
      over.set(true);
      await(left);
      assertEquals(503, one.status);
      assertEquals(List.of("" + one.bytes().length), one.headers.all("Content-Length"));
      assertEquals(List.of("start", "end"), one.calls);
    }
  }

  @Test
  void aHookThatFailsDoesNotPreventTheResponse() {
    List<String> lines =
        linesOf(
            () ->
                serve(
                    (req, res, next) -> {
                      res.set("Content-Length", "5");
                      res.onHeaders(
                          () -> {
                            throw new IllegalStateException("hook");
                          });
                      assertTrue(req.fail(late));
                    }));
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.get(0).startsWith("SEVERE creating an error page failed"), lines.get(0));
    assertEquals(503, exchange.status);
    assertEquals("" + exchange.bytes().length, exchange.header("Content-Length"));
  }

  @Test
  void aLateResponseIsLoggedOnOneLineWithItsLocation() {
    AtomicBoolean handled = new AtomicBoolean();
    List<String> lines =
        linesOf(
            () ->
                serve(
                    (req, res, next) -> {
                      assertTrue(req.fail(late));
                      res.send("too late");
                    },
                    (ErrorHandler) (error, req, res, next) -> handled.set(true)));
    assertEquals(1, lines.size(), lines::toString);
    String line = lines.get(0);
    assertTrue(line.startsWith("WARNING a handler continued after its timeout: GET / in "), line);
    assertTrue(line.contains("response already sent"), line);
    assertTrue(line.contains("(GivenUpTest.java:"), line);
    assertEquals(false, handled.get());
    assertEquals(1, exchange.appState.counters().duplicateResponses());
    assertEquals(1, exchange.appState.counters().lateErrors());
  }

  @Test
  void manyLateResponsesAreLoggedOnFewLines() {
    List<String> lines =
        linesOf(
            () -> {
              for (int i = 0; i < 200; i++) {
                exchange.executor = new SerialExecutor(Runnable::run, false);
                serve(
                    (req, res, next) -> {
                      assertTrue(req.fail(late));
                      throw new IllegalStateException("a\nb");
                    });
              }
              exchange.nanos.addAndGet(TimeUnit.SECONDS.toNanos(2)); // no longer quiet
              exchange.executor = new SerialExecutor(Runnable::run, false);
              serve(
                  (req, res, next) -> {
                    assertTrue(req.fail(late));
                    res.send("too late");
                  });
            });
    assertTrue(lines.size() >= 2 && lines.size() < 20, lines::toString);
    assertTrue(lines.get(0).contains("a\\nb"), lines.get(0));
    assertTrue(lines.get(lines.size() - 1).contains(" similar errors since"), lines::toString);
    assertEquals(201, exchange.appState.counters().lateErrors());
  }

  private static List<String> linesOf(Runnable deed) {
    try (LogLines log = new LogLines()) {
      deed.run();
      return List.copyOf(log.lines());
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void serve(Middleware... steps) {
    serve(exchange, steps);
  }

  private static void serve(FakeExchange exchange, Middleware... steps) {
    exchange.executor.execute(
        () -> {
          Request req = exchange.request();
          Chain.of(steps).handle(req, req.response(), new FinalHandler(req.response()));
        });
  }
}
