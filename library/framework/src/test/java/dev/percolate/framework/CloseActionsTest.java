package dev.percolate.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.engine.Server;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

final class CloseActionsTest {

  private final List<String> log = new ArrayList<>();

  /** A server that only closes. */
  private static final class Closable implements Server {

    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    @Override
    public int port() {
      return 1;
    }

    @Override
    public URI uri() {
      return URI.create("http://localhost:1");
    }

    @Override
    public void close() {
      closed.complete(null);
    }

    @Override
    public boolean isShuttingDown() {
      return false;
    }

    @Override
    public CompletionStage<Void> closed() {
      return closed;
    }
  }

  @Test
  void actionsRunOnceInReverseOrderWhenTheLastServerHasClosed() {
    App app = new App();
    app.onClose(() -> log.add("1")).onClose(() -> log.add("2"));
    Closable first = new Closable();
    Closable second = new Closable();
    app.mounting().watch(first);
    app.mounting().watch(second);
    first.close();
    assertEquals(List.of(), log);
    second.close();
    app.closing().close();
    assertEquals(List.of("2", "1"), log);
  }

  @Test
  void aFailedActionDoesNotStopTheOthers() {
    App app = new App();
    app.onClose(() -> log.add("1"));
    app.onClose(
        () -> {
          throw new IllegalStateException("2");
        });
    app.closing().close();
    assertEquals(List.of("1"), log);
  }

  @Test
  void mountedApplicationsCloseWithTheLastServerOfTheirParents() {
    App inner = new App();
    App one = new App();
    App other = new App();
    one.use(inner);
    other.use(inner);
    inner.onClose(() -> log.add("inner"));
    one.onClose(() -> log.add("one"));
    other.onClose(() -> log.add("other"));
    Closable first = new Closable();
    Closable second = new Closable();
    one.mounting().watch(first);
    other.mounting().watch(second);
    first.close();
    assertEquals(List.of("one"), log);
    second.close();
    assertEquals(List.of("one", "inner", "other"), log);
  }
}
