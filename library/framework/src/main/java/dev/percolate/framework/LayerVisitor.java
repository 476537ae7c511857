package dev.percolate.framework;

import dev.percolate.core.Middleware;
import java.util.List;

/** Is shown the layers of an application, in the order in which they are tried. */
public interface LayerVisitor {

  /**
   * Is shown a step at a mount path. An application among them has layers of its own.
   *
   * @param path the mount path without its trailing slash; empty for the root
   * @param step the step
   */
  void mounted(String path, Middleware step);

  /**
   * Is shown what one call has defined.
   *
   * @param routes one route for each verb, all with the same path and steps
   */
  void routed(List<Route> routes);
}
