package dev.percolate.framework;

import dev.percolate.core.Middleware;
import java.util.List;

/** Visits the layers of an application in order. */
public interface LayerVisitor {

  /**
   * Visits a middleware at a mount path. An application has layers of its own.
   *
   * @param path the mount path without its trailing slash; empty for the root
   * @param step the middleware
   */
  void visitMiddleware(String path, Middleware step);

  /**
   * Visits the routes of one definition.
   *
   * @param routes one route for each verb, all with the same path and handlers
   */
  void visitRoutes(List<Route> routes);
}
