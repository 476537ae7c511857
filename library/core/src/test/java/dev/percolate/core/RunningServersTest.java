package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.engine.Server;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Hooks for the shutdown run once, also those of requests that are in progress then. */
final class RunningServersTest {

  private final RunningServers servers = new RunningServers();
  private final List<String> ran = new ArrayList<>();

  private static final class Closing implements Server {

    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean closing;

    @Override
    public int port() {
      return 80;
    }

    @Override
    public URI uri() {
      return URI.create("http://localhost");
    }

    @Override
    public boolean isShuttingDown() {
      return closing;
    }

    @Override
    public void close() {
      closing = true;
    }

    @Override
    public CompletionStage<Void> closed() {
      return closed;
    }
  }

  private Runnable hook(String name) {
    return servers.onShutdown(() -> ran.add(name));
  }

  private Closing serve() {
    Closing server = new Closing();
    servers.add(server);
    return server;
  }

  private void close(Closing server) {
    server.close();
    servers.notifyShutdown();
  }

  @Test
  void hooksRunOnceUnlessTheyWereRemoved() {
    Closing server = serve();
    Runnable ignored = hook("a");
    hook("b").run();
    assertEquals(List.of(), ran);
    close(server);
    servers.notifyShutdown();
    assertEquals(List.of("a"), ran);
  }

  @Test
  void hooksThatAreAddedAfterTheLastServerRunAtOnce() {
    Closing one = serve();
    Closing two = serve();
    close(one);
    Runnable ignored = hook("other server");
    assertEquals(List.of(), ran);
    close(two);
    assertEquals(List.of("other server"), ran);
    hook("late").run();
    assertEquals(List.of("other server", "late"), ran);
  }

  @Test
  void hooksWaitWithoutAServer() {
    servers.notifyShutdown(); // by a servlet container, or a client in memory
    Closing server = serve();
    close(server);
    server.closed.complete(null);
    Runnable ignored = hook("a");
    assertEquals(List.of(), ran);
  }

  @Test
  void hooksOfALaterServerWait() {
    close(serve());
    Closing later = serve();
    Runnable ignored = hook("a");
    assertEquals(List.of(), ran);
    close(later);
    assertEquals(List.of("a"), ran);
  }
}
