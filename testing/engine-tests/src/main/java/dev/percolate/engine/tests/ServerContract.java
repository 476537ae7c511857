package dev.percolate.engine.tests;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import java.io.IOException;

/**
 * The base of all contracts: supplies the engine to test. The tests of an engine extend each
 * contract:
 *
 * <pre>
 *   final class CrowdTest extends CrowdContract {
 *     &#64;Override protected Engine engine() { return new OwnEngine(); }
 *   }
 * </pre>
 */
public abstract class ServerContract {

  /**
   * Returns the engine.
   *
   * @return a new engine, or always the same
   */
  protected abstract Engine engine();

  /** Returns the options of a server on a free port of the loopback interface. */
  protected static ListenOptions options() {
    return ListenOptions.ofPort(0).host("127.0.0.1");
  }

  final Server serve(Handler handler) throws IOException {
    return serve(options(), handler);
  }

  final Server serve(ListenOptions options, Handler handler) throws IOException {
    return serve(options, new Middleware[] {handler});
  }

  final Server serve(ListenOptions options, Middleware... steps) throws IOException {
    return engine().listen(Chain.service(new Settings(), steps), options);
  }
}
