package dev.percolate.engine;

import java.io.IOException;
import java.util.ServiceLoader;

/**
 * An HTTP server that serves a {@link Service}. Engines are found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>To adapt another HTTP server, implement this interface and {@link Exchange}.
 */
public interface Engine {

  /**
   * Starts a server.
   *
   * @param service receives the requests
   * @param options the options of the server
   * @return the server, which listens on its port
   * @throws IOException if the port cannot be bound; the message contains the port
   * @throws IllegalArgumentException if this engine or JDK does not support an option; the message
   *     names the option
   */
  Server listen(Service service, ListenOptions options) throws IOException;

  /**
   * Returns the engine on the class path or module path. If there are several, the system property
   * {@code percolate.engine} selects one by name, such as {@code nio}.
   *
   * @throws IllegalStateException if there is no engine, or there are several and none is selected
   */
  static Engine find() {
    return Providers.one(
        Engine.class,
        ServiceLoader.load(Engine.class),
        "add percolate-nio, or another engine",
        "percolate.engine");
  }
}
