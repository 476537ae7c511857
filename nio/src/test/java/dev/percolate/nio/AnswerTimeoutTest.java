package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.AnswerTimeoutContract;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT) // they wait, each at a server of its own
final class AnswerTimeoutTest extends AnswerTimeoutContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
