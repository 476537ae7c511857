package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.CrowdContract;

final class CrowdTest extends CrowdContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
