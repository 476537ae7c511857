package dev.percolate.observability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryEngine;
import dev.percolate.testkit.Reply;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MetricsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final App app = new App();

  MetricsTest() {
    // #region metrics
    app.use(Metrics.of(registry).counters(app.counters()).gauge("own", () -> 7));
    // #endregion metrics
  }

  @Test
  void timesRequestsByMethodRouteStatusAndOutcome() {
    App inner = new App();
    inner.get("/users/:id", (req, res) -> res.send("x"));
    inner.get("/moved", (req, res) -> res.redirect("/"));
    inner.get(
        "/boom",
        (req, res) -> {
          throw new IllegalStateException("x");
        });
    app.use("/api", inner);
    Call.get("/api/users/7").to(app);
    Call.get("/api/users/8").to(app);
    Call.get("/api/moved").to(app);
    Call.get("/api/boom").to(app);
    assertEquals(2, count("GET", "/api/users/:id", "200", "SUCCESS"));
    assertEquals(1, count("GET", "/api/moved", "302", "REDIRECTION"));
    assertEquals(1, count("GET", "/api/boom", "500", "SERVER_ERROR"));
  }

  @Test
  @DisplayName("DEV-06: paths and methods that clients make up add no series")
  void pathsAndMethodsThatClientsMakeUpAddNoSeries() {
    app.get("/x", (req, res) -> res.send("x"));
    int scan = Integer.getInteger("percolate.scan", 2000);
    for (int i = 0; i < scan; i++) {
      Call.of(i % 2 == 0 ? "GET" : "M" + i, "/scan/" + i).to(app);
    }
    assertEquals(2, registry.find("http.server.requests").timers().size());
    assertEquals(scan / 2, count("GET", "NOT_FOUND", "404", "CLIENT_ERROR"));
    assertEquals(scan / 2, count("OTHER", "NOT_FOUND", "404", "CLIENT_ERROR"));
  }

  @Test
  void countsRequestsRejectedByTheEngine() {
    try (MemoryEngine engine = new MemoryEngine()) {
      engine.reject(app, Call.get("/x"), 431);
    }
    assertEquals(1, registry.get("http.server.refused").tag("status", "431").counter().count());
  }

  @Test
  void gaugesShowActiveRequestsAndMemory() {
    assertEquals(0, registry.get("http.server.active").gauge().value());
    assertEquals(7, registry.get("own").gauge().value());
    assertTrue(registry.get("percolate.body.budget").gauge().value() > 0);
    assertEquals(0, registry.get("percolate.connections").gauge().value());
    assertEquals(0, registry.get("percolate.errors").tag("kind", "late").functionCounter().count());
  }

  @Test
  void errorsAreCountedAfterAGarbageCollection() throws Exception {
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    while (garbage.get() != null) {
      System.gc();
      Thread.sleep(5);
    }
    app.get("/twice", (req, res) -> res.send("one").send("two"));
    Call.get("/twice").to(app);
    assertEquals(1, app.counters().duplicateResponses());
    assertEquals(
        1, registry.get("percolate.errors").tag("kind", "second-answer").functionCounter().count());
  }

  @Test
  void sendsTheTextOfARegistry() {
    app.get("/metrics", Metrics.text(() -> "up 1\n"));
    Reply reply = Call.get("/metrics").to(app);
    assertEquals("text/plain; version=0.0.4; charset=utf-8", reply.header("Content-Type"));
    assertEquals("up 1\n", reply.text());
  }

  private long count(String method, String route, String status, String outcome) {
    Timer timer =
        registry
            .get("http.server.requests")
            .tags("method", method, "route", route, "status", status, "outcome", outcome)
            .timer();
    return timer.count();
  }
}
