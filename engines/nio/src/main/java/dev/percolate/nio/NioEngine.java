package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * An engine on the JDK's selectors, without any library. Serves HTTP/1.1 and, with certificates,
 * HTTPS with TLS 1.2 and 1.3 of the JDK. Add {@code percolate-http2} to serve HTTP/2.
 *
 * <p>Each server has one event loop per processor and a thread that accepts connections. In the
 * thread mode {@code virtual}, the system property {@code percolate.loops} selects the threads of
 * the event loops: {@code platform} (the default), or {@code virtual}, on a JDK that supports it.
 */
public final class NioEngine implements Engine {

  private final Supplier<LoopThreads> virtual;

  /** Creates the engine. Usually the service loader does this. */
  public NioEngine() {
    this(LoopThreads::chosen);
  }

  /**
   * Creates an engine with other threads for its event loops.
   *
   * @param virtual supplies the kind of threads for the mode {@code virtual}
   */
  NioEngine(Supplier<LoopThreads> virtual) {
    this.virtual = virtual;
  }

  @Override
  public Server listen(Service service, ListenOptions options) throws IOException {
    options.threads().checkAvailable();
    boolean chooses = options.threads() == ThreadMode.VIRTUAL;
    return NioServer.start(service, options, chooses ? virtual.get() : LoopThreads.PLATFORM);
  }
}
