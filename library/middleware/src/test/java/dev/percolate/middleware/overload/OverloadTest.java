package dev.percolate.middleware.overload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Twice the capacity, in virtual time: the maximum wait is 100 ms. */
final class OverloadTest {

  private static final int SECONDS = 20;
  private static final double[] NORMAL = {0, 1};
  private static final double[] MIXED = {0.2, 0.5};

  @Test
  void computingHandlersKeepTheirGoodputAndLatency() {
    SimulatedServer server = SimulatedServer.computing(4, Duration.ofMillis(5));
    server.load(2 * 800, SECONDS, NORMAL);
    assertHolds(server, 800, 120);
  }

  @Test
  void handlersThatWaitForAPoolKeepTheirGoodputAndLatency() {
    SimulatedServer server = SimulatedServer.pooled(10, Duration.ofMillis(10));
    server.load(2 * 1000, SECONDS, NORMAL);
    assertHolds(server, 1000, 150);
  }

  @Test
  void aLargePoolOfSlowConnectionsKeepsItsGoodputAndLatency() {
    SimulatedServer server = SimulatedServer.pooled(100, Duration.ofMillis(200));
    server.load(2 * 500, SECONDS, NORMAL);
    assertHolds(server, 500, 700);
  }

  @Test
  void aPoolWithOneConnectionKeepsItsGoodputAndLatency() {
    SimulatedServer server = SimulatedServer.pooled(1, Duration.ofMillis(2));
    server.load(2 * 500, SECONDS, NORMAL);
    assertHolds(server, 500, 200);
  }

  @Test
  void belowTheCapacityNothingIsRejected() {
    SimulatedServer server = SimulatedServer.pooled(100, Duration.ofMillis(100));
    server.load(100, 5, NORMAL);
    server.load(800, SECONDS, NORMAL);
    assertTrue(server.tally(1).rejected <= 100, () -> server.tally(1).rejected + " rejected");
    server.forget();
    server.load(800, SECONDS, NORMAL);
    assertEquals(0, server.tally(1).rejected);
  }

  @Test
  void aDatabaseThatBecomesTenTimesSlowerGetsMoreConcurrentRequests() {
    SimulatedServer server = SimulatedServer.pooled(1000, Duration.ofMillis(20));
    server.load(500, 20, NORMAL);
    server.queries *= 10;
    server.load(500, 5, NORMAL);
    server.forget();
    server.load(500, SECONDS, NORMAL);
    assertTrue(server.tally(1).rejected <= 300, () -> server.tally(1).rejected + " rejected");
  }

  @Test
  void lowPrioritiesAreRejectedFirstByThreads() {
    assertOrder(SimulatedServer.computing(4, Duration.ofMillis(5)), 2 * 800);
  }

  @Test
  void lowPrioritiesAreRejectedFirstByThePool() {
    assertOrder(SimulatedServer.pooled(10, Duration.ofMillis(10)), 2 * 1000);
  }

  private static void assertOrder(SimulatedServer server, double rate) {
    server.load(rate, SECONDS, MIXED);
    String figures = figures(server);
    assertTrue(rejected(server, 0) < 0.01, figures);
    assertTrue(rejected(server, 2) > 0.95, figures);
    assertTrue(rejected(server, 1) < 0.5, figures);
  }

  private static double rejected(SimulatedServer server, int rank) {
    SimulatedServer.Tally tally = server.tally(rank);
    return (double) tally.rejected / (tally.rejected + tally.latencies.size());
  }

  private static void assertHolds(SimulatedServer server, double capacity, long millis) {
    double goodput = server.served() / (capacity * SECONDS);
    long p99 = server.tally(1).percentile(0.99) / 1_000_000;
    String figures = "goodput " + goodput + ", p99 " + p99 + " ms, " + figures(server);
    assertTrue(goodput >= 0.9, figures);
    assertTrue(p99 <= millis, figures);
  }

  private static String figures(SimulatedServer server) {
    StringBuilder text = new StringBuilder("running " + server.queue().running());
    for (int rank = 0; rank < 3; rank++) {
      text.append(", rank ").append(rank).append(": ");
      text.append(server.tally(rank).latencies.size()).append(" served, ");
      text.append(server.tally(rank).rejected).append(" rejected, p50 ");
      text.append(server.tally(rank).percentile(0.5) / 1_000_000).append(" ms");
    }
    return text.toString();
  }
}
