package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.LogLinesContract;

final class LogLinesTest extends LogLinesContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
