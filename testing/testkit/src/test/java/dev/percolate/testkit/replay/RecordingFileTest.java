package dev.percolate.testkit.replay;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.MemoryClient;
import dev.percolate.testkit.TestConnection;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RecordingFileTest {

  @Test
  void onlyRequestsWithoutAHeadHaveNoResponse() throws Exception {
    assertNull(failureAfterDisconnect(true));
    String failure = String.valueOf(failureAfterDisconnect(false));
    assertTrue(failure.startsWith("no response within "), failure);
  }

  /** Returns the failure a minute after a client has disconnected, with or without a head. */
  private static @Nullable String failureAfterDisconnect(boolean head) throws Exception {
    CompletableFuture<Tape> ended = new CompletableFuture<>();
    CountDownLatch running = new CountDownLatch(1);
    Handler handler =
        (req, res) -> {
          Tape tape = Tape.start(req, 100, new AtomicLong());
          res.onFinish(
              () -> {
                tape.finish(res);
                ended.complete(tape);
              });
          if (head) {
            res.flushHeaders();
          }
          running.countDown();
        };
    try (MemoryClient client = MemoryClient.of(Chain.service(new Settings(), handler));
        TestConnection connection = Call.get("/").open(client)) {
      assertTrue(running.await(10, TimeUnit.SECONDS));
      connection.disconnect();
    }
    return RecordingFile.failure(ended.get(10, TimeUnit.SECONDS), Instant.now().plusSeconds(60));
  }
}
