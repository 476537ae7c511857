package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Call;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** In the default mode, busy handlers do not stop other requests. */
@EnabledForJreRange(min = JRE.JAVA_24)
final class CarrierScalerTest {

  private final int burners = Math.min(8, Runtime.getRuntime().availableProcessors());
  private final CountDownLatch burning = new CountDownLatch(burners);
  private final AtomicBoolean enough = new AtomicBoolean();

  private void route(Request req, Response res, Next next) {
    if (req.path().equals("/burn")) {
      burning.countDown();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
      while (!enough.get() && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }
    res.end("x");
  }

  @RepeatedTest(20) // one run in fifty failed before the fix
  void otherRequestsAreServedWhileEveryCarrierIsBusy() throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(ThreadMode.VIRTUAL);
    try (Server server =
        new NioEngine().listen(Chain.service(new Settings(), this::route), options)) {
      List<CompletableFuture<String>> calls = new ArrayList<>();
      for (int i = 0; i < burners; i++) {
        calls.add(
            CompletableFuture.supplyAsync(
                () -> Call.get("/burn").to(server.uri()).text(), task -> new Thread(task).start()));
      }
      assertTrue(burning.await(20, TimeUnit.SECONDS), "every carrier computes");
      long start = System.nanoTime();
      assertEquals("x", Call.get("/other").to(server.uri()).text());
      long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      enough.set(true);
      for (CompletableFuture<String> call : calls) {
        assertEquals("x", call.get(20, TimeUnit.SECONDS));
      }
      assertTrue(ms < 5000, "the other request took " + ms + " ms");
    }
  }
}
