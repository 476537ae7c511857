package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.CrowdContract;
import dev.percolate.engine.tests.OnceABuild;

@OnceABuild
final class CrowdTest extends CrowdContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }
}
