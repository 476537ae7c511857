package dev.percolate.reliability;

import dev.percolate.core.Handler;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.ThreadMode;
import dev.percolate.framework.App;
import dev.percolate.middleware.LoadShedding;
import dev.percolate.middleware.LoadShedding.Priority;
import java.io.IOException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * A server with a route that computes, and a route that waits for one of four connections. {@code
 * reliability/overload} starts it.
 *
 * <p>System properties: {@code port}, {@code threads}, the thread mode, {@code maxWait} in
 * milliseconds; without it, no load is shed.
 */
final class OverloadServer {

  private static final int ROUNDS = 20_000;
  private static final int CONNECTIONS = 4;
  private static final long QUERY_MS = 10;

  private OverloadServer() {}

  /**
   * Serves until the process is stopped.
   *
   * @param args none
   */
  public static void main(String[] args) throws IOException {
    App app = new App();
    Integer maxWait = Integer.getInteger("maxWait");
    if (maxWait != null) {
      app.use(
          LoadShedding.of(Duration.ofMillis(maxWait))
              .priority("/ready", Priority.CRITICAL)
              .priority("/cpu/low", Priority.LOW)
              .priority("/pool/low", Priority.LOW));
    }
    Semaphore pool = new Semaphore(CONNECTIONS, true);
    Handler computes =
        (req, res) -> {
          MessageDigest hash = MessageDigest.getInstance("SHA-256");
          byte[] bytes = new byte[32];
          for (int i = 0; i < ROUNDS; i++) {
            bytes = hash.digest(bytes);
          }
          res.send("computed " + bytes[0]);
        };
    Handler queries =
        (req, res) -> {
          pool.acquire();
          try {
            Thread.sleep(QUERY_MS);
          } finally {
            pool.release();
          }
          res.send("queried");
        };
    app.get("/ready", (req, res) -> res.send("ready"));
    for (String priority : new String[] {"", "/low"}) {
      app.get("/cpu" + priority, computes);
      app.get("/pool" + priority, queries);
    }
    app.listen(
        ListenOptions.ofPort(Integer.getInteger("port"))
            .host("127.0.0.1")
            .idleTimeout(Duration.ofMinutes(1))
            .threads(ThreadMode.of(System.getProperty("threads", "virtual"))));
    System.out.println("ready");
  }
}
