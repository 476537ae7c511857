package dev.percolate.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server survives, and what it refuses; see docs/security/rows.md. */
@Timeout(60)
final class RecoveryRowsTest {

  private static final ListenOptions LOCAL = ListenOptions.ofPort(0).host("127.0.0.1");

  private static Server listen(ListenOptions options, Middleware... steps) throws IOException {
    return new JdkEngine().listen(Chain.service(new Settings(), steps), options);
  }

  @Test
  @DisplayName("DOS-07: a step that blocks is answered 503, and not waited for")
  void aStepThatNeverAnswers() throws Exception {
    CompletableFuture<Void> never = new CompletableFuture<>();
    ListenOptions limited =
        LOCAL.answerTimeout(Duration.ofMillis(200)).drain(Duration.ofMillis(300));
    Server server = listen(limited, (req, res, next) -> never.join());
    try {
      assertEquals(503, Call.get("/").to(server.uri()).status());
      long start = System.nanoTime();
      server.close();
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20), "did not end");
    } finally {
      never.complete(null);
      server.close();
    }
  }

  @Test
  @DisplayName("DOS-08: an overflow and a missing class are 500, the server lives")
  void errorsOfTheMachineAre500() throws Exception {
    Middleware failing =
        (req, res, next) -> {
          switch (req.path()) {
            case "/deep" -> res.send("depth " + depth(0));
            case "/missing" -> throw new NoClassDefFoundError("missing/Thing");
            default -> res.send("alive");
          }
        };
    try (Server server = listen(LOCAL, failing)) {
      for (String path : List.of("/deep", "/missing", "/deep")) {
        assertEquals(500, Call.get(path).to(server.uri()).status(), path);
        assertEquals("alive", Call.get("/").to(server.uri()).text(), path);
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion") // the point of the test
  private static long depth(long level) {
    return depth(level + 1) + 1;
  }

  @Test
  void aRequestTooManyIsAnswered503() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    Middleware blocking =
        (req, res, next) -> {
          entered.countDown();
          leave.await();
          res.end("ok");
        };
    try (Server server = listen(LOCAL.maxRequests(1), blocking)) {
      CompletableFuture<Reply> first =
          CompletableFuture.supplyAsync(
              () -> Call.get("/").to(server.uri()), task -> new Thread(task).start());
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      Reply refused = Call.get("/").to(server.uri());
      assertEquals("503 1", refused.status() + " " + refused.header("Retry-After"));
      leave.countDown();
      assertEquals("ok", first.get(20, TimeUnit.SECONDS).text());
    }
  }
}
