package dev.percolate.engine;

import java.io.IOException;
import java.util.ServiceLoader;

/**
 * Brings a service onto the network; found by {@link java.util.ServiceLoader}.
 *
 * <p>An adapter of an HTTP server implements it together with {@link Exchange}.
 */
public interface Engine {

  /**
   * Starts a server.
   *
   * @param service answers what it receives
   * @param options where and how
   * @return the server, its port bound
   * @throws IOException if the port cannot be bound, naming it
   * @throws IllegalArgumentException if an option cannot be had on this engine or JDK, naming it
   */
  Server listen(Service service, ListenOptions options) throws IOException;

  /**
   * Returns the engine of this process: the one on the class path or module path; where there are
   * several, the one that the system property {@code percolate.engine} names, such as {@code nio}.
   *
   * @throws IllegalStateException if there is none, or more than one and none is named
   */
  static Engine find() {
    return Providers.one(
        Engine.class,
        ServiceLoader.load(Engine.class),
        "add percolate-nio, or another engine",
        "percolate.engine");
  }
}
