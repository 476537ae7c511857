package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.ErrorHandler;
import dev.percolate.core.Handler;
import dev.percolate.core.Response;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.HttpError;
import dev.percolate.middleware.LoadShedding.Priority;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.Reply;
import dev.percolate.testkit.TestConnection;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One request may run; its handler responds when the test says so. */
final class LoadSheddingTest extends WebSocketTrial {

  /** Longer than any wait for a thread; a test lets it pass on its own timer. */
  private static final Duration MAX_WAIT = Duration.ofHours(1);

  private final AtomicLong clock = new AtomicLong();
  private final ManualTimer timer = new ManualTimer();
  private final Queue<Response> held = new ConcurrentLinkedQueue<>();
  private final LoadShedding shedding =
      new LoadShedding(MAX_WAIT, clock::get, this::after).concurrency(1);
  private final Handler hold = (req, res) -> held.add(res);

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#all")
  void aWaitingRequestRunsAfterAnotherOne(ThreadMode mode) throws Exception {
    Client client = client(mode, shedding, hold);
    TestConnection first = held(client);
    TestConnection second = waiting(client, "/", 1);
    respond();
    assertEquals("done", first.reply().text());
    await(() -> !held.isEmpty());
    assertEquals("1 0", shedding.running() + " " + shedding.waiting());
    respond();
    assertEquals("done", second.reply().text());
    await(() -> shedding.running() == 0);
  }

  @ParameterizedTest
  @MethodSource("dev.percolate.middleware.Modes#all")
  void aRequestThatWaitsForTooLongGets503(ThreadMode mode) throws Exception {
    Client client = client(mode, shedding, hold);
    TestConnection first = held(client);
    TestConnection second = waiting(client, "/", 1);
    assertEquals(1, shedding.waiting());
    try (LogLines log = new LogLines()) {
      pass();
      Reply reply = second.reply();
      assertEquals("503 server is overloaded", reply.status() + " " + reply.text());
      assertEquals("1", reply.header("Retry-After"));
      assertEquals(
          "WARNING Server is overloaded: 1 requests rejected since the start; 1 run, 0" + " wait",
          log.lines().get(0));
      TestConnection third = waiting(client, "/", 1);
      pass();
      assertEquals(503, third.reply().status());
      assertEquals(1, log.lines().size());
    }
    assertEquals(2, shedding.rejected());
    respond();
    Reply reply = first.reply();
    assertEquals("done", reply.text());
    assertNull(reply.header("Retry-After"));
  }

  @Test
  void errorHandlersSeeTheTypeOfTheError() throws Exception {
    ErrorHandler shown =
        (error, req, res, next) ->
            res.status(503).send(((HttpError) error).type() + error.getStackTrace().length);
    Client client = client(ThreadMode.ofThisJdk(), shedding, hold, shown);
    TestConnection first = held(client);
    TestConnection second = waiting(client, "/", 1);
    pass();
    assertEquals("server.overloaded0", second.reply().text());
    assertEquals("1", second.reply().header("Retry-After"));
    respond();
    assertEquals("done", first.reply().text());
  }

  @Test
  void ofOnePriorityTheNewestRunsFirst() throws Exception {
    Client client = client(ThreadMode.ofThisJdk(), shedding, hold);
    TestConnection first = held(client);
    TestConnection older = waiting(client, "/", 1);
    TestConnection newer = waiting(client, "/", 2);
    for (TestConnection next : new TestConnection[] {first, newer, older}) {
      await(() -> !held.isEmpty());
      respond();
      assertEquals("done", next.reply().text());
    }
  }

  @Test
  void theHighestPriorityRunsFirst() throws Exception {
    LoadShedding by =
        shedding
            .priority("/l\u00f6w", Priority.LOW)
            .priority(req -> req.get("X-Paid") == null ? null : Priority.HIGH);
    Client client = client(ThreadMode.ofThisJdk(), by, (Handler) (req, res) -> held.add(res));
    TestConnection first = held(client);
    TestConnection low = waiting(by, client, "/L%C3%B6W/1", 1);
    TestConnection normal = waiting(by, client, "/l%C3%B6wer", 2);
    TestConnection high = client.open(Call.get("/l%C3%B6w").header("X-Paid", "1"));
    await(() -> by.waiting() == 3);
    for (TestConnection next : new TestConnection[] {first, high, normal, low}) {
      await(() -> !held.isEmpty());
      respond();
      assertEquals("done", next.reply().text());
    }
  }

  @Test
  void criticalRequestsNeitherWaitNorCount() throws Exception {
    LoadShedding by = shedding.priority("/health", Priority.CRITICAL);
    Handler healthy = (req, res) -> answer(req.path(), res);
    Client client = client(ThreadMode.ofThisJdk(), by, healthy);
    TestConnection first = held(client);
    assertEquals("up", Call.get("/health").to(client).text());
    assertEquals(1, by.running());
    respond();
    assertEquals("done", first.reply().text());
  }

  @Test
  void aClientThatDisconnectsLeavesTheQueue() throws Exception {
    Client client = client(ThreadMode.ofThisJdk(), shedding, hold);
    TestConnection first = held(client);
    TestConnection second = waiting(client, "/", 1);
    second.disconnect();
    await(() -> shedding.waiting() == 0);
    first.disconnect();
    await(() -> shedding.running() == 0);
    assertEquals(0, shedding.rejected());
  }

  @Test
  void webSocketsAndStreamsCountUntilTheyStart() throws Exception {
    Client client = client(ThreadMode.ofThisJdk(), shedding, ECHO);
    for (int i = 0; i < 3; i++) {
      assertEquals("hello", client.webSocket("/").send("hello").text());
    }
    CountDownLatch over = new CountDownLatch(1);
    Events streams =
        Events.of(
            (req, stream) -> {
              stream.send("1");
              over.await();
            });
    Client events = client(ThreadMode.ofThisJdk(), shedding, streams);
    for (int i = 0; i < 3; i++) {
      assertEquals("1", events.events("/").data());
    }
    assertEquals("0 0", shedding.running() + " " + shedding.rejected());
    over.countDown();
  }

  @Test
  void invalidOptionsAreRejected() {
    assertEquals(
        "maxWait must be at least PT0.001S, was PT0S",
        Played.rejection(() -> new LoadShedding(Duration.ZERO, clock::get, this::after)));
    assertEquals(
        "priority \"x\" must start with / and not end with it",
        Played.rejection(() -> shedding.priority("x", Priority.LOW)));
    assertEquals(
        "concurrency must be at least 1, was 0", Played.rejection(() -> shedding.concurrency(0)));
  }

  private void answer(String path, Response res) {
    if (path.equals("/health")) {
      Object ignored = res.send("up");
    } else {
      held.add(res);
    }
  }

  /** Sends a request, and waits until its handler has it. */
  private TestConnection held(Client client) throws Exception {
    TestConnection connection = client.open(Call.get("/"));
    await(() -> !held.isEmpty());
    return connection;
  }

  private TestConnection waiting(Client client, String path, int count) throws Exception {
    return waiting(shedding, client, path, count);
  }

  /** Sends a request, and waits until there are so many in the queue. */
  private static TestConnection waiting(LoadShedding in, Client client, String path, int count)
      throws Exception {
    TestConnection connection = client.open(Call.get(path));
    await(() -> in.waiting() == count);
    return connection;
  }

  private void respond() {
    Object ignored = held.remove().send("done");
  }

  private Runnable after(Duration time, Runnable task) {
    if (!time.isZero()) {
      return timer.after(time, task);
    }
    new Thread(task).start();
    return () -> {};
  }

  /** Lets the times of all waiting requests pass. */
  private void pass() {
    assertTrue(timer.run() > 0);
  }
}
