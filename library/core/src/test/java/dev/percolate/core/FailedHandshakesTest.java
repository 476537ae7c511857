package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.engine.Server;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Failed TLS handshakes are counted for the application. */
final class FailedHandshakesTest {

  private static final class Counting implements Server {

    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private long failed;

    @Override
    public int port() {
      return 443;
    }

    @Override
    public URI uri() {
      return URI.create("https://localhost");
    }

    @Override
    public boolean isShuttingDown() {
      return false;
    }

    @Override
    public long failedHandshakes() {
      return failed;
    }

    @Override
    public void close() {
      closed.complete(null);
    }

    @Override
    public CompletionStage<Void> closed() {
      return closed;
    }
  }

  @Test
  void failuresOfAllServersAreCountedIncludingClosedOnes() {
    AppState state = new AppState(new Settings());
    Counting one = new Counting();
    Counting two = new Counting();
    state.add(one);
    state.add(two);
    one.failed = 3;
    two.failed = 4;
    assertEquals(7, state.counters().failedHandshakes());
    one.close();
    assertEquals(7, state.counters().failedHandshakes());
    two.failed = 5;
    assertEquals(8, state.counters().failedHandshakes());
    two.close();
    assertEquals(8, state.counters().failedHandshakes());
  }
}
