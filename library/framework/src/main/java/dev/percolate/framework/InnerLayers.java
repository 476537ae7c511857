package dev.percolate.framework;

import dev.percolate.core.Middleware;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the layers inside a middleware, such as those of a mounted application. */
interface InnerLayers {

  /** Returns the layers; null if the middleware has none. */
  @Nullable Inner of(Middleware step);

  /**
   * The layers inside a middleware.
   *
   * @param params the parameter callbacks of an application; null for other middleware
   * @param rules the rules of an application for its routes; empty for other middleware
   */
  record Inner(Stack.Layers layers, @Nullable ParamCallbacks params, List<RequiredStep> rules) {}
}
