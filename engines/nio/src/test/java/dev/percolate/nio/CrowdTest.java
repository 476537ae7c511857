package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.CrowdContract;

final class CrowdTest extends CrowdContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
