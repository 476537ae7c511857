package dev.percolate.nio;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.FatalErrorPolicy;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A process that prints its port, and whose event loops fail permanently after the first request.
 * With an argument, the server is then closed instead of the process, and {@code closed} is
 * printed.
 */
final class LoopDiesMain {

  private LoopDiesMain() {}

  public static void main(String[] args) throws Exception {
    CompletableFuture<Server> self = new CompletableFuture<>();
    Handler ending =
        (req, res) -> {
          for (Object loop : (List<?>) Fields.get(self.join(), "loops")) {
            Fields.set(loop, "failures", new FailedIterations(Duration.ofMillis(50)));
            Fields.set(loop, "later", null); // every iteration needs it
          }
        };
    FatalErrorPolicy policy =
        args.length == 0 ? FatalErrorPolicy.END_PROCESS : FatalErrorPolicy.CLOSE_SERVER;
    Server server =
        new NioEngine()
            .listen(
                Chain.service(new Settings(), ending),
                ListenOptions.ofPort(0)
                    .host("127.0.0.1")
                    .threads("event loop")
                    .onFatalError(policy));
    self.complete(server);
    System.out.println(server.port());
    server.closed().toCompletableFuture().join();
    System.out.println("closed");
    boolean ignored = new CountDownLatch(1).await(60, TimeUnit.SECONDS); // until it is killed
  }
}
