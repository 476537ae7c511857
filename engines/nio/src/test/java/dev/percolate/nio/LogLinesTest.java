package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.LogLinesContract;

final class LogLinesTest extends LogLinesContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
