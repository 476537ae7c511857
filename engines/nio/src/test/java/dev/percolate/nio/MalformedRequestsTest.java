package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.MalformedRequestsContract;

final class MalformedRequestsTest extends MalformedRequestsContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
