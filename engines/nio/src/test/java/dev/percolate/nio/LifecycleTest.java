package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.LifecycleContract;

final class LifecycleTest extends LifecycleContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
