package dev.percolate.framework;

import dev.percolate.core.Middleware;
import org.jspecify.annotations.Nullable;

/** Knows the layers inside of a step, such as those of an application that is mounted. */
@FunctionalInterface
interface InnerLayers {

  /** Returns the layers; null if the step has none. */
  Stack.@Nullable Layers of(Middleware step);
}
