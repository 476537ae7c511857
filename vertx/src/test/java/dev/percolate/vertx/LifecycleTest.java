package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.LifecycleContract;
import dev.percolate.engine.tests.OnceABuild;

@OnceABuild
final class LifecycleTest extends LifecycleContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }

  @Override
  protected boolean upgrades() {
    return false;
  }
}
