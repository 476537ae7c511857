package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HangWatchTest {

  private static final String RETURNED =
      ", which returned without sending a response or calling next";
  private static final String LOST = "; its next is unreachable";

  private final MemoryEngine engine = new MemoryEngine();
  private final LogLines lines = new LogLines();
  private final App app = new App();

  @BeforeEach
  void listen() {
    app.set(Settings.ENV, "development").set(Settings.SLOW_REQUEST_WARNING, Duration.ofMillis(50));
  }

  @AfterEach
  void close() {
    lines.close();
    engine.close();
  }

  @Test
  void namesTheHandlerThatReturnedWithoutAResponse() throws Exception {
    app.use((req, res, next) -> next.run()).use((req, res, next) -> next.run());
    app.get("/hang", (req, res) -> {});
    assertNotice("/hang?x=1", "(layer 3, get /hang)" + RETURNED);
    assertTrue(first().startsWith("GET /hang?x=1 waits for HangWatchTest.java:"));
  }

  @Test
  void namesTheMiddlewareThatForgetsNext() throws Exception {
    Middleware forgets = (req, res, next) -> {};
    app.get("/x", (req, res, next) -> next.run(), forgets, (req, res, next) -> res.send("x"));
    assertNotice("/x", "(layer 1, get /x, step 2 of 3)" + RETURNED);
  }

  @Test
  void namesTheMiddlewareOfTheInnermostApplication() throws Exception {
    App inner = new App();
    inner.get("/y", (req, res, next) -> {});
    app.use("/x", inner);
    assertNotice("/x/y", "(layer 1, get /y)" + RETURNED);
  }

  @Test
  void namesTheErrorHandlerThatDoesNothing() throws Exception {
    app.get(
        "/x",
        (req, res) -> {
          throw new IllegalStateException("x");
        });
    app.use((error, req, res, next) -> {});
    assertNotice("/x", "(layer 2, use /)" + RETURNED);
  }

  @Test
  void namesTheAsyncHandlerWhoseStageCompletesWithoutAResponse() throws Exception {
    app.get("/x", Middleware.async((req, res) -> CompletableFuture.completedFuture("x")));
    assertNotice("/x", "(layer 1, get /x)" + RETURNED);
  }

  @Test
  void aSecondLineFollowsWhenNextIsGarbageCollected() throws Exception {
    app.get("/x", (req, res, next) -> {});
    try (Client client = engine.client(app)) {
      Call.get("/x").open(client);
      String line = first();
      while (!line.endsWith(LOST)) {
        System.gc(); // the library never requests a collection
        Thread.sleep(20);
        line = lines.lines().get(count() - 1);
      }
      assertTrue(line.contains("(layer 1, get /x)"), line);
      assertTrue(count() <= 2, () -> lines.lines().toString());
    }
  }

  @Test
  void thereIsNoSecondLineWhileNextIsReachable() throws Exception {
    AtomicReference<Next> held = new AtomicReference<>();
    AtomicReference<@Nullable Next> lost = new AtomicReference<>();
    app.get("/held", (req, res, next) -> held.set(next));
    app.get("/lost", (req, res, next) -> lost.set(next));
    try (Client client = engine.client(app)) {
      Call.get("/held").open(client);
      assertTrue(first().endsWith("/held)" + RETURNED), () -> lines.lines().toString());
      Call.get("/lost").open(client);
      while (count() < 2) {
        Thread.sleep(5);
      }
      lost.set(null);
      while (count() < 3) { // the first request is checked before the second
        System.gc();
        Thread.sleep(20);
      }
      assertTrue(lines.lines().get(2).contains("GET /lost"), () -> lines.lines().toString());
      assertEquals(3, count(), () -> lines.lines().toString());
      held.get().run();
    }
  }

  @Test
  void middlewareMayStillPassOnLater() throws Exception {
    AtomicReference<Next> held = new AtomicReference<>();
    app.get("/x", (req, res, next) -> held.set(next), (req, res, next) -> res.send("late"));
    try (Client client = engine.client(app)) {
      var talk = Call.get("/x").open(client);
      first();
      System.gc();
      held.get().run();
      assertEquals("late", talk.reply().text());
    }
  }

  @Test
  void namesTheLineAtWhichAHandlerRuns() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    app.get(
        "/x",
        (req, res) -> {
          leave.await();
          res.send("x");
        });
    assertNotice("/x", "(layer 1, get /x), which is still running, at HangWatchTest.");
    leave.countDown();
  }

  @Test
  void aFirstRequestThatComputesForeverIsReported() throws Exception {
    AtomicBoolean leave = new AtomicBoolean();
    app.get(
        "/x",
        (req, res) -> {
          while (!leave.get()) {
            Thread.onSpinWait();
          }
          res.send("x");
        });
    try {
      assertNotice("/x", "(layer 1, get /x), which is still running, at HangWatchTest.");
    } finally {
      leave.set(true);
    }
  }

  @Test
  void isLoggedOnce() throws Exception {
    app.get("/x", (req, res) -> {});
    try (Client client = engine.client(app)) {
      Call.get("/x").open(client);
      first();
      Thread.sleep(90);
      assertEquals(1, count());
    }
  }

  @Test
  void responsesStreamsLongPollsAndProductionAreNotReported() throws Exception {
    app.get("/answers", (req, res) -> res.send("x"));
    app.get(
        "/streams",
        (req, res) -> {
          res.write("x");
        });
    app.get("/polls", (req, res) -> req.responseTimeout(Duration.ZERO));
    try (Client client = engine.client(app)) {
      for (String path : List.of("/answers", "/streams", "/polls")) {
        Call.get(path).open(client);
      }
      app.set(Settings.ENV, "production").get("/x", (req, res) -> {});
      Call.get("/x").open(client);
      Thread.sleep(90);
      assertEquals(0, count(), () -> lines.lines().toString());
    }
  }

  @Test
  void waitingForABodyIsNotReported() throws Exception {
    app.post("/x", (req, res) -> res.send("" + req.inputStream().readAllBytes().length));
    try (Client client = engine.client(app)) {
      var talk = Call.post("/x").chunked().open(client);
      Thread.sleep(90);
      assertEquals(0, count());
      talk.send("abc").finish();
      assertEquals("3", talk.reply().text());
    }
  }

  @Test
  void aRequestMayOverrideTheTime() throws Exception {
    app.get("/x", (req, res) -> req.responseTimeout(Duration.ofMillis(50)));
    assertEquals(503, Call.get("/x").to(app).status());
    assertTrue(first().startsWith("no response within PT0.05S: GET /x waits for HangWatchTest."));
    assertEquals(1, app.counters().responseTimeouts());
  }

  private void assertNotice(String target, String end) throws Exception {
    try (Client client = engine.client(app)) {
      Call.get(target).open(client);
      String line = first();
      String sure = line.endsWith(LOST) ? line.substring(0, line.length() - LOST.length()) : line;
      assertTrue(sure.endsWith(end) || (end.endsWith(".") && sure.contains(end)), line);
    }
  }

  private int count() {
    return lines.lines().size();
  }

  private String first() throws InterruptedException {
    while (count() == 0) {
      Thread.sleep(5);
    }
    return lines.lines().get(0).replaceFirst("^WARNING ", "");
  }
}
