package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.FramingContract;

final class FramingTest extends FramingContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
