package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.LifecycleContract;

final class LifecycleTest extends LifecycleContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
