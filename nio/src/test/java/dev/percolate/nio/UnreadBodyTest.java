package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.UnreadBodyContract;

final class UnreadBodyTest extends UnreadBodyContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
