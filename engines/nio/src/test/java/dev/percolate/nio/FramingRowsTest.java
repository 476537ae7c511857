package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.FramingRowsContract;

final class FramingRowsTest extends FramingRowsContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
