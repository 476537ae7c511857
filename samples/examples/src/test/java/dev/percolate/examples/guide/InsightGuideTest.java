package dev.percolate.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.Health;
import dev.percolate.middleware.LoadShedding;
import dev.percolate.middleware.LoadShedding.Priority;
import dev.percolate.middleware.RequestId;
import dev.percolate.testkit.Call;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Code of the page on the inspector, health checks and timeouts. */
final class InsightGuideTest {

  @Test
  void anApplicationExplainsItsRoutes() {
    App app = new App();
    app.get("/u/:id", (req, res) -> res.send("u"));
    // #region explain
    String map = String.valueOf(app.map());
    String why = String.valueOf(app.explain("GET", "/users/new"));
    // #endregion explain
    assertTrue(map.contains("/u/:id") && map.contains("InsightGuideTest.java:"), map);
    assertTrue(why.contains("/u/:id"), why);
  }

  @Test
  void healthAndNames() {
    List<String> log = new ArrayList<>();
    // #region health
    App app = new App();
    app.use(RequestId.of());
    app.use(RequestLogger.of(":request-id :method :url :status").to(log::add));
    app.get("/live", Health.live());
    app.get("/ready", Health.of("disk", this::write).timeout(Duration.ofSeconds(1)));
    // #endregion health
    assertEquals(200, Call.get("/live").to(app).status());
    assertEquals(503, Call.get("/ready").to(app).status());
    String id = assertNotNullAnd(Call.get("/live").to(app).header("X-Request-Id"));
    assertTrue(log.get(2).startsWith(id + " GET /live 200"), log::toString);
  }

  @Test
  void aServerShedsLoad() {
    // #region overload
    App app = new App();
    LoadShedding shedding =
        LoadShedding.of(Duration.ofMillis(100))
            .priority("/ready", Priority.CRITICAL)
            .priority("/checkout", Priority.HIGH)
            .priority("/reports", Priority.LOW);
    app.use(shedding); // after the logger and metrics, before everything else
    // #endregion overload
    app.get("/ready", Health.ready());
    app.get("/reports/:id", (req, res) -> res.send("report"));
    assertEquals(200, Call.get("/ready").to(app).status());
    assertEquals("report", Call.get("/reports/1").to(app).text());
    assertEquals(
        "0 0 0", shedding.running() + " " + shedding.waiting() + " " + shedding.rejected());
  }

  private static String assertNotNullAnd(String text) {
    assertNotNull(text);
    return text;
  }

  private void write() throws IOException {
    throw new IOException("the disk is full");
  }

  @Test
  void aHandlerSetsItsTimeout() {
    // #region wait
    App app = new App();
    app.get(
        "/news",
        (req, res) -> {
          req.responseTimeout(Duration.ofMinutes(5));
          res.send("at last");
        });
    // #endregion wait
    assertEquals("at last", Call.get("/news").to(app).text());
  }
}
