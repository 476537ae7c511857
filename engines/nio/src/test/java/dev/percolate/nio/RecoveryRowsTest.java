package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.RecoveryRowsContract;

final class RecoveryRowsTest extends RecoveryRowsContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }

  @Override
  protected Class<?> loopDies() {
    return LoopDiesMain.class;
  }
}
