package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;

/**
 * Serves HTTP/1.1 on the selector of the JDK, without any library.
 *
 * <p>Each server has event loops of its own, as many as there are processors, and a thread that
 * accepts connections. There is neither TLS nor HTTP/2: behind a proxy that has both neither is
 * missing, and {@code percolate-vertx} has them.
 */
public final class NioEngine implements Engine {

  /** Creates the engine; the service loader does. */
  public NioEngine() {}

  @Override
  public Server listen(Service service, ListenOptions options) throws IOException {
    options.threads().checkAvailable();
    if (options.tls() != null) {
      throw new IllegalArgumentException(
          "tls(…): percolate-nio has no TLS; use percolate-vertx, or a proxy in front");
    }
    return NioServer.start(service, options);
  }
}
