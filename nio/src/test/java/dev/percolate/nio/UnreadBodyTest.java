package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.UnreadBodyContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // they wait, each at a server of its own
final class UnreadBodyTest extends UnreadBodyContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
