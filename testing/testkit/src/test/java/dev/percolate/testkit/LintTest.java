package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.Service;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class LintTest {

  private static final Handler ANSWER = (req, res) -> res.send("body");

  private final Lint lint = new Lint();

  @Test
  void correctMiddlewareHasNoViolations() {
    Middleware passing = (req, res, next) -> next.run();
    Middleware later = (req, res, next) -> new Thread(next).start();
    Handler failing =
        (req, res) -> {
          throw new HttpError(400);
        };
    ErrorHandler dealing = (error, req, res, next) -> next.run();
    Reply reply = play(Call.get("/"), passing, later, failing, dealing, ANSWER);
    assertEquals("body", reply.text());
    assertEquals(404, play(Call.get("/"), passing).status());
    lint.check();
    assertEquals(List.of(), lint.violations());
  }

  @Test
  void nextCalledTwiceFails() {
    Middleware twice =
        (req, res, next) -> {
          next.run();
          next.run();
        };
    play(Call.get("/"), twice, ANSWER);
    assertViolation("passed the request on twice");
  }

  @Test
  void respondingAndPassingOnFails() {
    Middleware both =
        (req, res, next) -> {
          res.send("mine");
          next.run();
        };
    assertEquals("mine", play(Call.get("/"), both, (req, res, next) -> {}).text());
    assertViolation("responded and passed the request on");
  }

  @Test
  void respondingAfterPassingOnFails() {
    Middleware both =
        (req, res, next) -> {
          next.run();
          res.send("mine");
        };
    assertEquals("mine", play(Call.get("/"), both, (req, res, next) -> {}).text());
    assertViolation("responded after it had passed the request on");
  }

  @Test
  void writingAfterTheEndFails() {
    Handler writing =
        (req, res) -> {
          res.end("body");
          res.write("more");
        };
    play(Call.get("/"), writing);
    assertViolation("after the end of the response");
  }

  @Test
  void anExchangeThatNeverEndsFails() {
    Lint brief = new Lint(Duration.ofMillis(50));
    Service service =
        brief.service(Chain.service(new Settings(), brief.around((req, res, next) -> {})));
    try (MemoryEngine engine = new MemoryEngine();
        TestConnection connection = Call.get("/").open(engine.client(service))) {
      AssertionError error = assertThrows(AssertionError.class, () -> afterAMoment(brief::check));
      assertTrue(error.getMessage().contains("neither responded nor passed"), error::toString);
      assertTrue(error.getMessage().contains("GET /: the exchange never ended"), error::toString);
      assertEquals(0, connection.accepted());
    }
  }

  @Test
  void twoHandlersAtTheSameTimeFail() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    Middleware inner = lint.around((req, res, next) -> done.countDown());
    Middleware wild =
        (req, res, next) -> {
          Thread thread =
              new Thread(
                  () -> {
                    try {
                      inner.handle(req, res, next);
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                  });
          thread.start();
          thread.join();
          res.send("body");
        };
    play(Call.get("/"), wild);
    done.await();
    assertViolation("ran at the same time as another handler");
  }

  @Test
  void anExchangeThatIsStartedTwiceFails() {
    playRaw(
        Call.get("/"),
        exchange -> {
          exchange.start(200, new Headers());
          exchange.start(201, new Headers());
        });
    assertViolation("the response was started twice");
  }

  @Test
  void aHeaderWithALineBreakFails() {
    playRaw(
        Call.get("/"),
        exchange -> exchange.start(200, new Headers().addReceived("X-A", "b\r\nX-C: d")));
    assertViolation("line break in the header X-A");
  }

  @Test
  void aBodyAfterHeadAndWithStatus204And304Fails() {
    for (int status : new int[] {204, 304}) {
      playRaw(Call.get("/"), exchange -> answer(exchange, status));
      assertViolation("body written for GET with status " + status);
    }
    playRaw(Call.head("/"), exchange -> answer(exchange, 200));
    assertViolation("body written for HEAD with status 200");
  }

  @Test
  void bytesAfterTheEndOfAnExchangeFail() {
    playRaw(
        Call.get("/"),
        exchange -> {
          answer(exchange, 200);
          exchange.end(ByteBuffer.allocate(0));
        });
    assertViolation("body written after the end of the response");
  }

  @Test
  void checkedMiddlewareKeepsItsInterfaces() {
    ErrorHandler handler = (error, req, res, next) -> next.fail(error);
    assertInstanceOf(ErrorHandler.class, lint.around(handler));
    Seeing seeing = new Seeing();
    Middleware watched = lint.around(seeing);
    try (MemoryEngine engine = new MemoryEngine()) {
      engine.reject(Chain.service(new Settings(), watched), Call.get("/bad"), 400);
    }
    assertEquals(400, seeing.status);
  }

  /** Observes rejected requests. */
  private static final class Seeing implements Middleware, RejectionListener {

    private int status;

    @Override
    public void handle(Request req, Response res, Next next) {
      next.run();
    }

    @Override
    public void onRejected(Request req, Response res) {
      status = res.status();
    }
  }

  private Reply play(Call call, Middleware... steps) {
    Middleware[] watched = new Middleware[steps.length];
    for (int i = 0; i < steps.length; i++) {
      watched[i] = lint.around(steps[i]);
    }
    return call.to(lint.service(Chain.service(new Settings(), watched)));
  }

  private void playRaw(Call call, Consumer<Exchange> response) {
    Service raw =
        new Service() {
          @Override
          public void serve(Exchange exchange) {
            try {
              response.accept(exchange);
            } catch (IllegalStateException e) {
              exchange.abort(); // the in-memory engine has rejected it, too
            }
          }

          @Override
          public void onRejected(Exchange exchange, int status, Headers headers) {}
        };
    call.to(lint.service(raw));
  }

  private static void answer(Exchange exchange, int status) {
    exchange.start(status, new Headers());
    exchange.end(ByteBuffer.wrap("body".getBytes(StandardCharsets.UTF_8)));
  }

  private static void afterAMoment(Runnable check) {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    check.run();
  }

  private void assertViolation(String rule) {
    AssertionError error = assertThrows(AssertionError.class, lint::check);
    assertTrue(error.getMessage().contains(rule), error::toString);
  }
}
