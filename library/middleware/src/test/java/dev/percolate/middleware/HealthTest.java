package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Lint;
import dev.percolate.testkit.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class HealthTest {

  private final Lint lint = new Lint();

  @Test
  void isUpWhileAllChecksPass() {
    Reply reply = ask(Health.of("db", () -> {}).check("queue", () -> {}));
    assertEquals(200, reply.status());
    assertEquals("application/json; charset=utf-8", reply.header("Content-Type"));
    assertEquals("no-store", reply.header("Cache-Control"));
    String text = reply.text().replaceAll("\"millis\":\\d+", "\"millis\":0");
    assertEquals(
        "{\"status\":\"up\",\"checks\":{\"db\":{\"status\":\"up\",\"millis\":0},"
            + "\"queue\":{\"status\":\"up\",\"millis\":0}}}\n",
        text);
  }

  @Test
  void isDownIfACheckThrowsAndHidesTheReasonFromStrangers() {
    Health health = failing(new IllegalStateException("secret <host>"));
    Reply reply = ask(new Settings().set(Settings.STACK_TRACES, "none"), health);
    assertEquals(503, reply.status());
    assertTrue(reply.text().startsWith("{\"status\":\"down\""), reply.text());
    assertTrue(!reply.text().contains("secret"), reply.text());
    assertTrue(ask(health).text().contains("IllegalStateException: secret \\u003chost\\u003e"));
  }

  @Test
  void inProductionTheReasonIsHiddenFromAllClients() {
    String before = System.getProperty("percolate.env");
    Settings settings = new Settings().set(Settings.STACK_TRACES, "all");
    System.setProperty("percolate.env", "production");
    try {
      Reply reply = ask(settings, failing(new IllegalStateException("secret host")));
      assertEquals(503, reply.status());
      assertTrue(!reply.text().contains("secret"), reply.text());
    } finally {
      if (before == null) {
        System.clearProperty("percolate.env");
      } else {
        System.setProperty("percolate.env", before);
      }
    }
  }

  @Test
  void aFailingDetailIsReportedAndLeavesTheServerReady() throws Exception {
    Health health =
        Health.of("db", () -> {})
            .detail(
                "redis",
                () -> {
                  throw new IllegalStateException("away");
                });
    Reply reply = ask(health);
    assertEquals(200, reply.status());
    assertTrue(reply.text().startsWith("{\"status\":\"up\""), reply.text());
    assertTrue(reply.text().contains("\"redis\":{\"status\":\"down\""), reply.text());
    assertThrows(IllegalArgumentException.class, () -> health.detail("db", () -> {}));
  }

  @Test
  void aCheckThatTakesTooLongIsNotStartedAgain() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    CountDownLatch leave = new CountDownLatch(1);
    Health health =
        Health.of(
                "db",
                () -> {
                  runs.incrementAndGet();
                  leave.await();
                })
            .timeout(Duration.ofMillis(20));
    for (int i = 0; i < 3; i++) {
      Reply reply = ask(health);
      assertEquals(503, reply.status());
      assertTrue(reply.text().contains("\"status\":\"timeout\""), reply.text());
    }
    assertEquals(1, runs.get());
    leave.countDown();
    while (ask(health.timeout(Duration.ofSeconds(9))).status() != 200) {
      Thread.sleep(5);
    }
  }

  @Test
  void aCheckThatTakesTooLongIsLoggedOnce() throws Exception {
    CountDownLatch leave = new CountDownLatch(1);
    Health health =
        Health.of(
                "db",
                () -> {
                  leave.await();
                  throw new IllegalStateException("away");
                })
            .timeout(Duration.ofMillis(20));
    try (LogLines log = new LogLines()) {
      assertEquals(503, ask(health).status());
      assertEquals(503, ask(health).status());
      leave.countDown();
      while (log.lines().size() < 2) {
        Thread.sleep(5);
      }
      assertEquals(
          List.of(
              "WARNING health check \"db\" has not ended after 20 ms",
              "WARNING health check \"db\" failed"),
          log.lines());
    }
  }

  @Test
  void liveRunsNoChecks() {
    assertEquals("{\"status\":\"up\"}\n", ask(Health.live()).text());
    assertEquals(200, ask(Health.ready()).status());
  }

  @Test
  void invalidOptionsAreRejected() {
    assertThrows(IllegalArgumentException.class, () -> Health.of("", () -> {}));
    Health health = Health.of("db", () -> {});
    String twice =
        assertThrows(IllegalArgumentException.class, () -> health.check("db", () -> {}))
            .getMessage();
    assertEquals("check \"db\" must be unique and not blank", twice);
    assertThrows(IllegalArgumentException.class, () -> health.timeout(Duration.ZERO));
  }

  private static Health failing(Exception error) {
    return Health.of(
        "db",
        () -> {
          throw error;
        });
  }

  private Reply ask(Middleware step) {
    return ask(new Settings(), step);
  }

  private Reply ask(Settings settings, Middleware step) {
    Reply reply = Call.get("/").to(lint.service(Chain.service(settings, lint.around(step))));
    lint.check();
    return reply;
  }
}
