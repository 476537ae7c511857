package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.LastAnswerContract;
import dev.percolate.engine.tests.OnceABuild;

@OnceABuild
final class LastAnswerTest extends LastAnswerContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
