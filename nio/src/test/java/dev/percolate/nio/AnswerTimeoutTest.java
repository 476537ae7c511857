package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.AnswerTimeoutContract;

final class AnswerTimeoutTest extends AnswerTimeoutContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
