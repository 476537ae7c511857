package dev.percolate.checks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Makes each callback of the exported API throw, in each thread mode, and checks for leaks. */
@Timeout(120)
final class ProvocationsTest {

  /** The maximum number of requests: a callback that leaks slots uses up all of them. */
  private static final int PLACES = 4;

  private static final int VISITS = PLACES * Fault.COUNT;

  /** The handlers that wait on their thread. */
  private static final Set<String> WAIT =
      Set.of("Events.of(EventHandler)", "WebSockets.of(WebSocketHandler)");

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  static Map<String, Provocation> all() {
    Map<String, Provocation> all = new TreeMap<>();
    HttpProvocations.addTo(all);
    MiddlewareProvocations.addTo(all);
    SocketProvocations.addTo(all);
    return all;
  }

  static List<Arguments> cases() {
    List<Arguments> cases = new ArrayList<>();
    for (ThreadMode mode : ThreadMode.values()) {
      if (mode != ThreadMode.VIRTUAL || VirtualThreads.available()) {
        all().keySet().stream()
            .filter(callback -> VirtualThreads.available() || !isRejected(callback, mode))
            .forEach(callback -> cases.add(Arguments.of(callback, mode)));
      }
    }
    return cases;
  }

  /** Returns true if an event loop rejects the handler, as it waits and has no virtual thread. */
  private static boolean isRejected(String callback, ThreadMode mode) {
    return mode == ThreadMode.EVENT_LOOP && WAIT.contains(callback);
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("cases")
  void callbackThatThrowsIsLoggedOnceAndLeaksNothing(String callback, ThreadMode mode)
      throws Exception {
    Provocation provocation = all().get(callback);
    Fault fault = new Fault();
    App app = new App();
    app.get("/plain", HttpProvocations.handler((req, res) -> res.end()));
    try (LogCapture log = new LogCapture()) {
      provocation.define().in(app, fault);
      ListenOptions options =
          ListenOptions.ofPort(0)
              .host("127.0.0.1")
              .threads(mode)
              .maxConcurrentRequests(PLACES)
              .shutdownTimeout(Duration.ofSeconds(20));
      try (Server server = app.listen(options)) {
        visit(provocation, server);
      }
      assertFalse(log.contains(LogCapture.UNFINISHED), "a request had not finished");
      assertFalse(log.contains(LogCapture.HELD), "an event loop was blocked");
      check(provocation, fault, log);
    }
  }

  private static void visit(Provocation provocation, Server server) throws Exception {
    try (Client client = Client.of(server)) {
      for (int i = 0; i < VISITS; i++) {
        provocation.visit().by(client);
        await(() -> Call.get("/plain").to(client).status() == 200, "a slot, after visit " + i);
      }
    }
    await(() -> server.connections() == 0, "the end of all connections");
  }

  private static void check(Provocation provocation, Fault fault, LogCapture log)
      throws InterruptedException {
    assertTrue(fault.raised().size() >= Fault.COUNT, "the callback was not called");
    for (Throwable raised : fault.raised()) {
      if (provocation.logged() == Provocation.Logged.ONCE) {
        await(() -> log.linesOf(raised) > 0, "a log line for " + raised);
      }
      assertEquals(1, Math.max(1, log.linesOf(raised)), "log lines for " + raised);
    }
  }

  private static void await(BooleanSupplier there, String what) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE;
    while (!there.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, "timeout while waiting for " + what);
      Thread.sleep(2);
    }
  }
}
