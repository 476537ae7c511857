package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.ManyBodiesContract;
import dev.percolate.engine.tests.OnceABuild;

@OnceABuild
final class ManyBodiesTest extends ManyBodiesContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
