package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.ThreadModesContract;

final class ThreadModesTest extends ThreadModesContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
