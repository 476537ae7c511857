package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.OnceABuild;
import dev.percolate.engine.tests.TimeoutContract;

@OnceABuild
final class TimeoutTest extends TimeoutContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
