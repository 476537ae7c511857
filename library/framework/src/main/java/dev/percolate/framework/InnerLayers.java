package dev.percolate.framework;

import dev.percolate.core.Middleware;
import org.jspecify.annotations.Nullable;

/** Knows the layers inside of a step, such as those of an application that is mounted. */
interface InnerLayers {

  /** Returns the layers; null if the step has none. */
  Stack.@Nullable Layers of(Middleware step);

  /** Returns the parameter callbacks of an application; null for any other step. */
  @Nullable ParamCallbacks params(Middleware step);
}
