package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.FramingRowsContract;

final class FramingRowsTest extends FramingRowsContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
