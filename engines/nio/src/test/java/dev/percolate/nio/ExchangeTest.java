package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.ExchangeContract;

final class ExchangeTest extends ExchangeContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
