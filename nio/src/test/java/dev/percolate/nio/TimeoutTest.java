package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.TimeoutContract;

final class TimeoutTest extends TimeoutContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
