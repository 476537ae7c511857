package dev.percolate.framework;

import dev.percolate.core.Middleware;
import org.jspecify.annotations.Nullable;

/** Returns the layers inside a middleware, such as those of a mounted application. */
interface InnerLayers {

  /** Returns the layers; null if the middleware has none. */
  Stack.@Nullable Layers of(Middleware step);

  /** Returns the parameter callbacks of an application; null for other middleware. */
  @Nullable ParamCallbacks params(Middleware step);
}
