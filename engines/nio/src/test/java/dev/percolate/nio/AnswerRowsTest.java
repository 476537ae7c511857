package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.AnswerRowsContract;

final class AnswerRowsTest extends AnswerRowsContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
