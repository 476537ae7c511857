package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.fixtures.RawSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Busy handlers on all threads do not disable the protection of the server. */
@Isolated("computes on all processors")
@Timeout(60)
final class ComputingStepsTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  private static final String COMPUTE = "GET /compute HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  static Stream<Arguments> modes() {
    List<Arguments> all = new ArrayList<>();
    all.add(Arguments.of(ThreadMode.EVENT_LOOP, LoopThreads.PLATFORM));
    all.add(Arguments.of(ThreadMode.POOL, LoopThreads.PLATFORM));
    if (VirtualThreads.available()) {
      all.add(Arguments.of(ThreadMode.VIRTUAL, LoopThreads.PLATFORM));
    }
    if (LoopThreads.available()) {
      all.add(Arguments.of(ThreadMode.VIRTUAL, LoopThreads.VIRTUAL));
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("modes")
  void newClientsAreServedAndSilentOnesClosed(ThreadMode mode, LoopThreads loops) throws Exception {
    CountDownLatch computing = new CountDownLatch(PROCESSORS);
    AtomicBoolean over = new AtomicBoolean();
    Handler handler =
        (req, res) -> {
          if (req.path().equals("/compute")) {
            computing.countDown();
            while (!over.get()) {
              Thread.onSpinWait();
            }
          }
          res.end("ok");
        };
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .threads(mode)
            .headerTimeout(Duration.ofSeconds(1))
            .idleTimeout(Duration.ofSeconds(60));
    List<RawSocket> open = new ArrayList<>();
    try (Server server =
        new NioEngine(() -> loops).listen(Chain.service(new Settings(), handler), options)) {
      RawSocket silent = new RawSocket(server).send("GET / HTTP/1.1\r\nHo");
      open.add(silent);
      for (int i = 0; computing.getCount() > 0 && i < 40 * PROCESSORS; i++) {
        open.add(new RawSocket(server).send(COMPUTE)); // until there is one on each loop
        boolean ignored = computing.await(50, TimeUnit.MILLISECONDS);
      }
      long began = System.nanoTime();
      assertEquals(0, computing.getCount());
      TimeUnit.MILLISECONDS.sleep(500);
      long asked = System.nanoTime();
      try (RawSocket fresh = new RawSocket(server)) {
        String response = fresh.send(GET).readToClose();
        assertTrue(
            response.startsWith("HTTP/1.1 200 ") || response.startsWith("HTTP/1.1 503 "), response);
      }
      assertTrue(System.nanoTime() - asked < SECOND, "the response was late");
      assertEquals("", silent.readToClose());
      assertTrue(System.nanoTime() - began < 3 * SECOND, "it was disconnected late");
      over.set(true); // otherwise closing waits for the handlers
    } finally {
      over.set(true);
      for (RawSocket one : open) {
        one.close();
      }
    }
  }
}
