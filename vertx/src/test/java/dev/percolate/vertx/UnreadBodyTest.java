package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.UnreadBodyContract;

final class UnreadBodyTest extends UnreadBodyContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
