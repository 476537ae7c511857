package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Key;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/** Tests how handlers run: on which threads, in which order, and one at a time. */
abstract class StepContract extends ServiceTrial {

  private static final Key<Trail> TRAIL = Key.of("trail", Trail.class);

  /** The record that the handlers of one request share; deliberately without locks. */
  private static final class Trail {

    private int count;
    private boolean busy;
    private boolean overlapped;

    void step() {
      overlapped |= busy;
      busy = true;
      count++;
      for (int i = 0; i < 100; i++) {
        Thread.onSpinWait(); // gives another handler time to overlap
      }
      busy = false;
    }
  }

  StepContract(TestedEngine engine) {
    super(engine);
  }

  @Test
  void aResponseMayComeLaterFromAnotherThread() throws Exception {
    Handler later =
        (req, res) ->
            elsewhere(
                () -> {
                  Thread.sleep(30);
                  res.send("later");
                });
    assertEquals("later", Call.get("/").to(client(later)).text());
  }

  @Test
  void aResponseMayComeFromACompletionStage() throws Exception {
    CompletableFuture<String> stage = new CompletableFuture<>();
    Client client =
        client(Middleware.async((req, res) -> stage.thenAccept(text -> res.send(text))));
    TestConnection connection = open(client, Call.get("/"));
    stage.complete("staged");
    assertEquals("staged", connection.reply().text());
  }

  @Test
  void codeMaySleep() throws Exception {
    assumeTrue(blocks());
    Handler sleeping =
        (req, res) -> {
          Thread.sleep(50);
          res.send("awake");
        };
    assertEquals("awake", Call.get("/").to(client(sleeping)).text());
  }

  @Test
  void codeMayWaitForLocks() throws Exception {
    assumeTrue(blocks());
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch waiting = new CountDownLatch(1);
    Handler locking =
        (req, res) -> {
          waiting.countDown();
          lock.lock();
          try {
            res.send("locked");
          } finally {
            lock.unlock();
          }
        };
    Client client = client(locking);
    TestConnection connection;
    lock.lock();
    try {
      connection = open(client, Call.get("/"));
      assertTrue(waiting.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
      Thread.sleep(30);
    } finally {
      lock.unlock();
    }
    assertEquals("locked", connection.reply().text());
  }

  @Test
  void requestsMayWaitForOneAnother() throws Exception {
    assumeTrue(blocks());
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    Handler meeting =
        (req, res) -> {
          if (req.url().equals("/take")) {
            res.send(String.valueOf(queue.poll(DEADLINE_SECONDS, TimeUnit.SECONDS)));
          } else {
            queue.add("given");
            res.end();
          }
        };
    Client client = client(meeting);
    TestConnection taking = open(client, Call.get("/take"));
    Thread.sleep(30);
    assertEquals(200, Call.get("/give").to(client).status());
    assertEquals("given", taking.reply().text());
  }

  @Test
  void aSecondCallOfNextIsIgnored() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Middleware twice =
        (req, res, next) -> {
          next.run();
          next.run();
          next.fail(new IllegalStateException("too late"));
        };
    Handler handler = (req, res) -> res.send("call " + calls.incrementAndGet());
    Client client = client(twice, handler);
    assertEquals("call 1", Call.get("/").to(client).text());
    assertEquals("call 2", Call.get("/").to(client).text());
    assertEquals(2, calls.get());
  }

  @Test
  void ifTwoThreadsPassARequestOnItContinuesOnce() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    Middleware both =
        (req, res, next) -> {
          passElsewhere(next);
          passElsewhere(next);
        };
    Client client = client(both, (Handler) (req, res) -> res.send("" + calls.incrementAndGet()));
    for (int i = 1; i <= 50; i++) {
      assertEquals("" + i, Call.get("/").to(client).text());
    }
  }

  @Test
  void handlersPassedOnFromOtherThreadsRunOneAtATime() throws Exception {
    Middleware[] steps = new Middleware[41];
    Arrays.fill(steps, (Middleware) this::countAndPassElsewhere);
    steps[0] =
        (req, res, next) -> {
          req.attr(TRAIL, new Trail());
          next.run();
        };
    steps[40] =
        (Handler)
            (req, res) -> {
              Trail trail = req.attr(TRAIL);
              trail.step();
              res.send(trail.count + " " + trail.overlapped);
            };
    Client client = client(steps);
    for (int i = 0; i < 20; i++) {
      assertEquals("40 false", Call.get("/").to(client).text());
    }
  }

  @Test
  void nextOnAnotherThreadDoesNotRunHandlersThere() throws Exception {
    AtomicReference<Thread> foreign = new AtomicReference<>();
    AtomicReference<Thread> own = new AtomicReference<>();
    Middleware passing =
        (req, res, next) ->
            elsewhere(
                () -> {
                  foreign.set(Thread.currentThread());
                  next.run();
                });
    Handler handler =
        (req, res) -> {
          own.set(Thread.currentThread());
          res.end();
        };
    assertEquals(200, Call.get("/").to(client(passing, handler)).status());
    assertTrue(own.get() != foreign.get());
  }

  @Test
  void tenThousandSynchronousHandlersDoNotOverflowTheStack() throws Exception {
    Middleware[] steps = new Middleware[10_001];
    AtomicInteger calls = new AtomicInteger();
    Arrays.fill(
        steps,
        (Middleware)
            (req, res, next) -> {
              calls.incrementAndGet();
              next.run();
            });
    steps[10_000] = (Handler) (req, res) -> res.send("calls " + calls.getAndSet(0));
    Client client = client(steps);
    assertEquals("calls 10000", Call.get("/").to(client).text());
    assertEquals("calls 10000", Call.get("/").to(client).text());
  }

  @Test
  void codeAroundNextSpansASlowBody() throws Exception {
    assumeTrue(engine.threads().parks());
    ThreadLocal<String> local = new ThreadLocal<>();
    AtomicReference<String> after = new AtomicReference<>("still inside");
    Middleware around =
        (req, res, next) -> {
          local.set("mine");
          try {
            next.run();
          } finally {
            after.set(local.get() + ", answered " + res.finished());
            local.remove();
          }
        };
    Client client = client(around, slowly(), (Handler) (req, res) -> res.send("" + local.get()));
    assertEquals("mine", playSlowly(client));
    await("the handler has returned", () -> "mine, answered true".equals(after.get()));
  }

  @Test
  void scopedValuesSpanASlowBody() throws Exception {
    assumeTrue(engine.threads().parks() && Runtime.version().feature() >= 25);
    ScopedValues scope = new ScopedValues();
    Middleware around = (req, res, next) -> scope.run("bound", next);
    Client client = client(around, slowly(), (Handler) (req, res) -> res.send(scope.value()));
    assertEquals("bound", playSlowly(client));
  }

  @Test
  void withoutBlockingHandlersAfterASlowBodyRunWhenTheFirstHasReturned() throws Exception {
    assumeTrue(!engine.threads().parks());
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    Middleware around =
        (req, res, next) -> {
          next.run();
          events.add("returned");
        };
    Handler handler =
        (req, res) -> {
          events.add("handled");
          res.end();
        };
    playSlowly(client(around, slowly(), handler));
    assertEquals("returned", events.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
    assertEquals("handled", events.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  private void countAndPassElsewhere(Request req, Response res, Next next) {
    Trail trail = req.attr(TRAIL);
    passElsewhere(next);
    trail.step();
  }

  /** Reads the body, then passes the request on, as a body parser does. */
  private static Middleware slowly() {
    return (req, res, next) -> readText(req, (text, failure) -> next.run());
  }

  private String playSlowly(Client client) throws InterruptedException {
    TestConnection connection = open(client, Call.post("/").chunked());
    for (int i = 0; i < 3; i++) {
      Thread.sleep(30);
      connection.send("piece");
    }
    Thread.sleep(30);
    return connection.finish().reply().text();
  }
}
