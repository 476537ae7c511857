package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.AnswerTimeoutContract;
import dev.percolate.engine.tests.OnceABuild;

@OnceABuild
final class AnswerTimeoutTest extends AnswerTimeoutContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
