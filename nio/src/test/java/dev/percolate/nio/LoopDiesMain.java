package dev.percolate.nio;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import java.io.Closeable;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process whose event loops die when it is asked for anything. */
final class LoopDiesMain {

  private LoopDiesMain() {}

  public static void main(String[] args) throws Exception {
    CompletableFuture<Server> self = new CompletableFuture<>();
    Handler ending =
        (req, res) -> {
          for (Object loop : (List<?>) field(self.join(), "loops")) {
            ((Closeable) field(loop, "selector")).close();
          }
        };
    Server server =
        new NioEngine()
            .listen(
                Chain.service(new Settings(), ending),
                ListenOptions.ofPort(0).host("127.0.0.1").threads("event loop"));
    self.complete(server);
    System.out.println(server.port());
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
