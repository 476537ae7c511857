package dev.percolate.framework;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The layers of a stack at one time, in their order, with an index where they are many. */
final class Layers {

  /** Up to so many a walk looks at each layer, which is as quick as asking the index. */
  private static final int FEW = 16;

  private final Layer[] layers;
  private final @Nullable RouteIndex index;

  Layers(List<? extends Layer> layers) {
    this.layers = layers.toArray(Layer[]::new);
    this.index = layers.size() > FEW ? new RouteIndex(this.layers) : null;
  }

  int size() {
    return layers.length;
  }

  Layer get(int number) {
    return layers[number];
  }

  Stream<Layer> stream() {
    return Stream.of(layers);
  }

  /** Returns those layers that a path may reach. */
  LayerCursor candidates(String path) {
    return new LayerCursor(path, layers.length, index);
  }
}
