package dev.percolate.inspector.reload;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import java.io.IOException;

/**
 * The engine of an application in the development loop: serves it on a socket that stays open while
 * the application is replaced. Only {@link AppLoader} makes it visible to the service loader.
 */
public final class ReloadEngine implements Engine {

  private final Engine engine;

  /** Creates the engine of the application whose class loader is that of the calling thread. */
  public ReloadEngine() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    if (!(loader instanceof AppLoader own)) {
      throw new IllegalStateException("ReloadEngine works only in dev.percolate.inspector.Dev");
    }
    this.engine = own.engine();
  }

  @Override
  public Server listen(Service service, ListenOptions options) throws IOException {
    return engine.listen(service, options);
  }
}
