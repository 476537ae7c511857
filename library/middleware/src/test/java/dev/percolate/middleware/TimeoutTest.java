package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeoutTest {

  private static final Handler NEVER = (req, res) -> {};

  @Test
  void aRequestWithoutResponseGoesToTheErrorHandlers() {
    Reply reply = reply(Timeout.of(20), NEVER, Played.SHOWN);
    assertEquals(503, reply.status());
    assertEquals("Response timeout ETIMEDOUT", reply.text());
  }

  @Test
  void aLateResponseIsRejected() throws Exception {
    AtomicReference<Response> open = new AtomicReference<>();
    Handler hanging = (req, res) -> open.set(res);
    Reply reply = reply(Timeout.of(20), hanging, Played.SHOWN);
    assertEquals(503, reply.status());
    assertThrows(IllegalStateException.class, () -> open.get().send("late"));
  }

  @Test
  void theDefaultPageIsSentWhileAHandlerBlocks() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    AtomicReference<Throwable> late = new AtomicReference<>();
    Handler blocking =
        (req, res) -> {
          assertTrue(answered.await(10, TimeUnit.SECONDS));
          assertTrue(req.attr(Timeout.WATCH).expired());
          late.set(assertThrows(IllegalStateException.class, () -> res.send("late")));
        };
    Middleware told =
        (req, res, next) -> {
          res.onHeaders(answered::countDown);
          next.run();
        };
    Reply reply = reply(told, Timeout.of(20), blocking, Played.SHOWN);
    assertEquals(503, reply.status());
    assertFalse(reply.text().contains("ETIMEDOUT"), reply.text());
    assertTrue(late.get() != null);
  }

  @Test
  void theLongestTimeNeverPasses() {
    Handler answer = (req, res) -> res.send("in time");
    assertEquals("in time", inTime(Timeout.of(Long.MAX_VALUE), answer).text());
  }

  @Test
  void aClearedWatchNeverExpires() {
    Handler clearing =
        (req, res) -> {
          req.attr(Timeout.WATCH).clear();
          Thread.sleep(80);
          res.send("" + req.attr(Timeout.WATCH).expired());
        };
    assertEquals("false", inTime(Timeout.of(50), clearing).text());
  }

  @Test
  void withoutRespondOnlyTheWatchAndTheListenerAreNotified() {
    AtomicReference<Request> told = new AtomicReference<>();
    Handler waiting =
        (req, res) -> {
          for (int i = 0; i < 2000 && told.get() == null; i++) {
            Thread.sleep(5);
          }
          res.send("own " + req.attr(Timeout.WATCH).expired());
        };
    Reply reply = reply(Timeout.of("10ms").respond(false).onTimeout(told::set), waiting);
    assertEquals("own true", reply.text());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theResponseIsSentIfTheListenerThrows(boolean error) {
    Timeout timeout =
        Timeout.of(20)
            .onTimeout(
                req -> {
                  if (error) {
                    throw new AssertionError("listener");
                  }
                  throw new IllegalStateException("listener");
                });
    Reply reply = reply(timeout, NEVER, Played.SHOWN);
    assertEquals("503 Response timeout ETIMEDOUT", reply.status() + " " + reply.text());
  }

  @Test
  void aResponseThatStartedInTimeDoesNotTimeOut() {
    Handler streaming =
        (req, res) -> {
          res.write("a");
          Thread.sleep(80);
          res.end("" + req.attr(Timeout.WATCH).expired());
        };
    Reply reply = inTime(Timeout.of(50), streaming);
    assertEquals("afalse", reply.text());
    assertTrue(reply.complete());
  }

  @Test
  void invalidTimesAreRejected() {
    assertEquals(
        "timeout must be a time such as \"2 hours\", was \"soon\"",
        Played.rejection(() -> Timeout.of("soon")));
    assertEquals("timeout must be at least 0, was -1", Played.rejection(() -> Timeout.of(-1)));
  }

  /** Repeats a call while a busy machine reaches the handler too late. */
  private static Reply inTime(Middleware... steps) {
    Reply reply = reply(steps);
    for (int i = 0; i < 20 && reply.status() == 503; i++) {
      reply = reply(steps);
    }
    return reply;
  }

  private static Reply reply(Middleware... steps) {
    return Played.reply(Call.get("/"), steps);
  }
}
