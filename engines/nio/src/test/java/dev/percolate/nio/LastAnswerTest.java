package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.LastAnswerContract;

final class LastAnswerTest extends LastAnswerContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
