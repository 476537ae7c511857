package dev.percolate.vertx;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.OnceABuild;
import dev.percolate.engine.tests.RecoveryRowsContract;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;

@OnceABuild
final class RecoveryRowsTest extends RecoveryRowsContract {

  @Override
  protected Engine engine() {
    return new VertxEngine();
  }

  @Override
  protected Class<?> loopDies() {
    return LoopDiesMain.class;
  }

  @Override
  protected long direct() {
    return ((ByteBufAllocatorMetricProvider) ByteBufAllocator.DEFAULT).metric().usedDirectMemory();
  }
}
