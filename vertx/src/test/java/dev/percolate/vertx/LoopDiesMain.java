package dev.percolate.vertx;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Runs in a process of its own; a request makes the event loop end that serves it. */
final class LoopDiesMain {

  private LoopDiesMain() {}

  @SuppressWarnings("FutureReturnValueIgnored") // nobody is there to look at it
  public static void main(String[] args) throws IOException {
    Handler ending =
        (req, res) -> {
          EventExecutor loop = ThreadExecutorMap.currentExecutor();
          ((EventLoop) loop).shutdownGracefully(0, 0, TimeUnit.SECONDS);
        };
    Server server =
        new VertxEngine()
            .listen(
                Chain.service(new Settings(), ending),
                ListenOptions.ofPort(0).host("127.0.0.1").threads("event loop"));
    System.out.println(server.port());
  }
}
