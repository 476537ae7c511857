package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.fixtures.TimeoutContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
final class TimeoutTest extends TimeoutContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
