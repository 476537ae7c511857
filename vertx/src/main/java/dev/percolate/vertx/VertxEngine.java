package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;

/**
 * Serves HTTP/1.1, and with a certificate HTTPS and HTTP/2, on Vert.x core.
 *
 * <p>Each server has event loops of its own, as many as there are processors.
 */
public final class VertxEngine implements Engine {

  /** Creates the engine; the service loader does. */
  public VertxEngine() {}

  @Override
  public Server listen(Service service, ListenOptions options) throws IOException {
    options.threads().checkAvailable();
    if (options.http2PriorKnowledge()) {
      throw new IllegalArgumentException(
          "http2PriorKnowledge(true): percolate-vertx has HTTP/2 over TLS only");
    }
    return VertxServer.start(service, options);
  }
}
