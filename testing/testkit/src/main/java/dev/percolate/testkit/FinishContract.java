package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Response;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests finish hooks, and clients that hang up before, during or after the response. */
abstract class FinishContract extends ServiceTrial {

  FinishContract(TestedEngine engine) {
    super(engine);
  }

  @Test
  void finishHooksRunOnceInOrderAfterTheHandlerHasReturned() throws Exception {
    List<String> events = new CopyOnWriteArrayList<>();
    Middleware around =
        (req, res, next) -> {
          res.onFinish(() -> events.add("first " + res.finished()));
          next.run();
          res.onFinish(() -> events.add("last"));
          events.add("returned");
        };
    Handler handler =
        (req, res) -> {
          res.onFinish(() -> events.add("second"));
          res.send("body");
          events.add("answered");
        };
    TestConnection connection = open(client(around, handler), Call.get("/"));
    connection.reply();
    await("the last hook", () -> events.contains("last"));
    connection.disconnect();
    Thread.sleep(50);
    assertEquals(List.of("answered", "returned", "first true", "second", "last"), events);
  }

  @Test
  void aHookRegisteredAfterTheEndRunsToo() throws Exception {
    AtomicReference<Response> held = new AtomicReference<>();
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    Handler handler =
        (req, res) -> {
          res.onFinish(first::countDown);
          held.set(res);
          res.end();
        };
    Call.get("/").to(client(handler));
    assertTrue(first.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    Objects.requireNonNull(held.get()).onFinish(late::countDown);
    assertTrue(late.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void afterAHangUpBeforeTheResponseALateResponseIsDropped() throws Exception {
    EndCounter ending = new EndCounter();
    AtomicReference<Response> held = new AtomicReference<>();
    Handler silent =
        (req, res) -> {
          ending.watch(res);
          held.set(res);
        };
    Client client = client(silent);
    TestConnection connection = open(client, Call.get("/"));
    await("the handler has run", () -> held.get() != null);
    connection.disconnect();
    if (engine.noticesDisconnects()) {
      assertFalse(ending.finished());
    }
    Objects.requireNonNull(held.get()).send("too late");
    assertEquals(1, ending.calmCount());
  }

  @Test
  void aHangUpDuringTheResponseFinishesOnceAndTheWriterGetsAnIOException() throws Exception {
    EndCounter ending = new EndCounter();
    CompletableFuture<Exception> failure = new CompletableFuture<>();
    CountDownLatch hungUp = new CountDownLatch(1);
    Handler streaming =
        (req, res) -> {
          ending.watch(res);
          res.write("begun");
          elsewhere(
              () -> {
                hungUp.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                failure.complete(writeUntilItFails(res));
              });
        };
    TestConnection connection = open(client(streaming), Call.get("/")).await("begun");
    connection.disconnect();
    hungUp.countDown();
    assertInstanceOf(IOException.class, failure.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertFalse(ending.finished());
    assertEquals(1, ending.calmCount());
  }

  @Test
  void aHangUpWakesAWriterThatWaits() throws Exception {
    assumeTrue(blocks());
    EndCounter ending = new EndCounter();
    CompletableFuture<Exception> failure = new CompletableFuture<>();
    AtomicInteger written = new AtomicInteger();
    byte[] piece = new byte[64 << 10];
    Handler streaming =
        (req, res) -> {
          ending.watch(res);
          try {
            while (written.get() < 4096) { // much more than all buffers hold
              res.write(piece);
              written.incrementAndGet();
            }
          } catch (IOException e) {
            failure.complete(e);
          }
        };
    TestConnection connection = open(client(streaming), Call.get("/")).pause();
    still(written::get);
    connection.disconnect();
    assertInstanceOf(IOException.class, failure.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertFalse(ending.finished());
    assertEquals(1, ending.calmCount());
  }

  @Test
  void aHangUpAfterTheResponseChangesNothing() throws Exception {
    EndCounter ending = new EndCounter();
    Handler handler =
        (req, res) -> {
          ending.watch(res);
          res.send("whole");
        };
    TestConnection connection = open(client(handler), Call.get("/"));
    assertEquals("whole", connection.reply().text());
    assertTrue(ending.finished());
    connection.disconnect();
    assertEquals(1, ending.calmCount());
  }

  @Test
  void theSentStatusIsThatOfTheSentHead() throws Exception {
    CompletableFuture<String> sent = new CompletableFuture<>();
    Handler handler =
        (req, res) -> {
          res.onFinish(() -> sent.complete(res.sentStatus() + " " + res.sentLength()));
          res.status(201).end("whole");
          res.status(500);
        };
    assertEquals(201, Call.get("/").to(client(handler)).status());
    assertEquals("201 5", sent.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aResponseThatIsCutOffWasSent() throws Exception {
    assumeTrue(engine.noticesDisconnects());
    CompletableFuture<Integer> sent = new CompletableFuture<>();
    Handler streaming =
        (req, res) -> {
          res.onFinish(() -> sent.complete(res.sentStatus()));
          res.write("begun");
        };
    open(client(streaming), Call.get("/")).await("begun").disconnect();
    assertEquals(200, sent.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aResponseToAnUploadThatWasCutOffIsNotSent() throws Exception {
    CompletableFuture<Integer> sent = new CompletableFuture<>();
    CountDownLatch entered = new CountDownLatch(1);
    Handler rejecting =
        (req, res) -> {
          res.onFinish(() -> sent.complete(res.sentStatus()));
          entered.countDown();
          readText(req, (text, failure) -> res.status(400).send("cut off"));
        };
    TestConnection connection = open(client(rejecting), Call.post("/").chunked()).send("part");
    assertTrue(entered.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    connection.disconnect();
    assertEquals(0, sent.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void finishHooksNeverRunAtTheSameTimeAsAHandler() throws Exception {
    assumeTrue(engine.noticesDisconnects());
    AtomicBoolean inside = new AtomicBoolean();
    AtomicBoolean entered = new AtomicBoolean();
    CompletableFuture<Boolean> beside = new CompletableFuture<>();
    Handler busy =
        (req, res) -> {
          res.onFinish(() -> beside.complete(inside.get()));
          inside.set(true);
          entered.set(true);
          long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(60);
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          inside.set(false);
        };
    TestConnection connection = open(client(busy), Call.get("/"));
    await("the handler runs", entered::get);
    connection.disconnect();
    assertFalse(beside.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void theServerContinuesAfterHangUps() throws Exception {
    Client client =
        client((Handler) (req, res) -> readText(req, (text, failure) -> res.send("alive")));
    for (int i = 0; i < 20; i++) {
      Call.post("/").chunked().open(client).send("part").disconnect();
    }
    assertEquals("alive", Call.get("/").to(client).text());
  }

  private static Exception writeUntilItFails(Response res) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    try {
      while (System.nanoTime() < deadline) {
        res.write("more");
        Thread.sleep(5);
      }
      return new IllegalStateException("no error after 10 s of writing to a closed connection");
    } catch (IOException e) {
      return e;
    }
  }
}
