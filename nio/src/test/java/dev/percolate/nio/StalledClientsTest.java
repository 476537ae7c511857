package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.StalledClientsContract;

final class StalledClientsTest extends StalledClientsContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
