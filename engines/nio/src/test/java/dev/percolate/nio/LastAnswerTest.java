package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.LastAnswerContract;

final class LastAnswerTest extends LastAnswerContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
