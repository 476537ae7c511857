package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.MemoryEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests each way to forget a response, with its notice and default settings. */
@Timeout(60)
class SlowRequestWarningTest {

  /** The number of waits of 5 ms until 3 s are over; more on a busy machine. */
  private static final int MOST_WAITS = 600;

  private static final String RETURNED =
      ", which returned without sending a response or calling next";
  private static final String CERTAIN = RETURNED + "; its next is unreachable";
  private static final Middleware ANSWERS = (req, res, next) -> res.send("never");

  private final MemoryEngine engine = new MemoryEngine();
  private final LogLines lines = new LogLines();
  private final CountDownLatch leave = new CountDownLatch(1);
  private final CompletableFuture<Object> never = new CompletableFuture<>();
  private final Map<String, String> expected = new LinkedHashMap<>();
  private final App app = new App().set(Settings.ENV, "development");

  @AfterEach
  void close() {
    leave.countDown();
    never.complete("");
    lines.close();
    engine.close();
  }

  @Test
  void eachMistakeIsReportedOnceWithinThreeSeconds() throws Exception {
    steps();
    handlers();
    stages();
    errors();
    parameters();
    try (Client client = engine.client(app)) {
      expected.keySet().forEach(path -> Call.get(path).open(client));
      int waits = 0;
      while (named(" waits for ").size() < expected.size() && waits < MOST_WAITS) {
        Thread.sleep(5);
        waits++;
      }
      assertTrue(waits < MOST_WAITS, () -> "late: " + lines.lines());
      while (certain().size()
          < expected.values().stream().filter(SlowRequestWarningTest::isSure).count()) {
        System.gc(); // the library never requests a collection, but detects one
        Thread.sleep(50);
      }
      expected.forEach(this::assertNamed);
    }
  }

  private List<String> named(String text) {
    return lines.lines().stream().filter(line -> line.contains(text)).toList();
  }

  private List<String> certain() {
    return named("; its next is unreachable");
  }

  private static boolean isSure(String end) {
    return end.endsWith(CERTAIN);
  }

  private void assertNamed(String path, String end) {
    List<String> first = named("WARNING GET " + path + " waits for SlowRequestWarningTest.java:");
    assertEquals(1, first.size(), () -> path + " in " + lines.lines());
    String place = isSure(end) ? end.substring(0, end.length() - CERTAIN.length()) : end;
    assertTrue(first.get(0).contains(place), () -> first.get(0));
    long sure = certain().stream().filter(line -> line.contains(" GET " + path + " ")).count();
    assertEquals(isSure(end) ? 1 : 0, sure, () -> path + " in " + lines.lines());
  }

  private void steps() {
    Middleware forgets = (req, res, next) -> {};
    app.use("/forgotten-next", forgets);
    expected.put("/forgotten-next", "use /forgotten-next)" + CERTAIN);
    app.get("/second-step", (req, res, next) -> next.run(), forgets, ANSWERS);
    expected.put("/second-step", "get /second-step, step 2 of 3)" + CERTAIN);
    App inner = new App();
    inner.use(forgets);
    app.use("/mounted", inner);
    expected.put("/mounted", "(layer 1, use /)" + CERTAIN);
  }

  private void handlers() {
    app.get("/returns", (req, res) -> {});
    expected.put("/returns", "get /returns)" + CERTAIN);
    app.get("/still-runs", (req, res) -> leave.await());
    expected.put(
        "/still-runs", "get /still-runs), which is still running, at SlowRequestWarningTest.");
    app.get("/own-thread", SlowRequestWarningTest::throwsOnItsOwnThread);
    expected.put("/own-thread", "get /own-thread)" + CERTAIN);
    app.get(
        "/late",
        (req, res, next) -> {
          CompletableFuture<Void> unused = never.thenRun(next);
        });
    expected.put("/late", "get /late)" + RETURNED);
  }

  private void stages() {
    app.get(
        "/stage-done", Middleware.async((req, res) -> CompletableFuture.completedFuture("unsent")));
    expected.put("/stage-done", "get /stage-done)" + CERTAIN);
    app.get("/stage-lost", Middleware.async((req, res) -> new CompletableFuture<>()));
    expected.put("/stage-lost", "get /stage-lost)" + CERTAIN);
    app.get("/stage-never", Middleware.async((req, res) -> never));
    expected.put("/stage-never", "get /stage-never)" + RETURNED);
  }

  private void errors() {
    app.get(
        "/error",
        (req, res) -> {
          throw new IllegalStateException("x");
        });
    app.use("/error", (error, req, res, next) -> {});
    expected.put("/error", "use /error)" + CERTAIN);
  }

  private void parameters() {
    App inner = new App();
    inner.param("id", (req, res, next, id) -> {});
    inner.get("/:id", ANSWERS);
    app.use("/parameter", inner);
    expected.put("/parameter/7", "get /:id, its parameters)" + CERTAIN);
  }

  /** Throws where no error handler receives it. */
  private static void throwsOnItsOwnThread(Request req, Response res, Next next) {
    Thread thread =
        new Thread(
            () -> {
              throw new IllegalStateException("seen by nobody: " + next);
            });
    thread.setUncaughtExceptionHandler((failed, error) -> {});
    thread.start();
  }
}
