package dev.percolate.checks;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Client;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A process whose hooks throw when its server closes; it should end with {@link #STATUS}. */
final class ThrowingServer {

  /** The exit status if the later actions have run. */
  static final int STATUS = 7;

  private static final AtomicInteger RAN = new AtomicInteger();

  private ThrowingServer() {}

  /**
   * Serves one request, which registers hooks, and ends.
   *
   * @param how {@code close} to close the server and return; {@code exit} to let the shutdown hook
   *     of the JVM close it
   */
  public static void main(String... how) {
    App app = new App();
    app.onClose(RAN::incrementAndGet); // runs last
    app.onClose(ThrowingServer::fail);
    app.get(
        "/",
        HttpProvocations.handler(
            (req, res) -> {
              Runnable unused = req.onShutdown(ThrowingServer::fail);
              res.end();
            }));
    Server server = listen(app);
    try (Client client = Client.of(server)) {
      RAN.addAndGet(Call.get("/").to(client).status() == 200 ? 1 : 0);
    }
    if (how[0].equals("exit")) {
      app.onClose(ThrowingServer::fail);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> haltAtEnd()));
      System.exit(1);
    }
    server.close();
    System.exit(RAN.get() == 2 ? STATUS : 1);
  }

  private static Server listen(App app) {
    try {
      return app.listen(ListenOptions.ofPort(0).host("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the last action has run, then ends the process. */
  private static void haltAtEnd() {
    while (RAN.get() < 2) {
      LockSupport.parkNanos(1_000_000);
    }
    Runtime.getRuntime().halt(STATUS);
  }

  private static void fail() {
    throw new AssertionError("thrown as the server closes");
  }
}
