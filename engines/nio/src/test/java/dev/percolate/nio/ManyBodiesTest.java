package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.ManyBodiesContract;

final class ManyBodiesTest extends ManyBodiesContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
