package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.AnswerTimeoutContract;

final class AnswerTimeoutTest extends AnswerTimeoutContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
