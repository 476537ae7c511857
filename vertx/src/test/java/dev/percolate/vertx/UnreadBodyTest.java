package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.OnceABuild;
import dev.percolate.engine.tests.UnreadBodyContract;

@OnceABuild
final class UnreadBodyTest extends UnreadBodyContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
