package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import java.io.IOException;
import java.util.function.Supplier;

/**
 * Serves HTTP/1.1, and with certificates HTTPS, on the selector of the JDK, without any library.
 *
 * <p>Each server has event loops of its own, as many as there are processors, and a thread that
 * accepts connections. Steps that have virtual threads may share them with the loops: {@code
 * -Dpercolate.loops=virtual}, or {@code platform}. TLS is that of the JDK, in its versions 1.2 and
 * 1.3. HTTP/2 is spoken where {@code percolate-http2} is there.
 */
public final class NioEngine implements Engine {

  private final Supplier<LoopThreads> virtual;

  /** Creates the engine; the service loader does. */
  public NioEngine() {
    this(LoopThreads::chosen);
  }

  /**
   * Creates an engine whose loops run on certain threads.
   *
   * @param virtual tells which, where steps have virtual ones
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
