package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The engine on the selector keeps the contract over sockets, in each of its thread modes. */
final class NioContractTest {

  @Execution(ExecutionMode.CONCURRENT)
  private abstract static class OverSockets extends EngineContract {

    @Override
    protected Client serve(Service service) throws Exception {
      ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(threads());
      return Client.of(new NioEngine(this::loops).listen(service, options));
    }

    LoopThreads loops() {
      return LoopThreads.PLATFORM;
    }
  }

  @Nested
  @EnabledForJreRange(min = JRE.JAVA_21)
  final class OnVirtualThreads extends OverSockets {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.VIRTUAL;
    }
  }

  @Nested
  @EnabledIf("dev.percolate.nio.LoopThreads#available")
  final class OnTheCarriersOfLoops extends OverSockets {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.VIRTUAL;
    }

    @Override
    LoopThreads loops() {
      return LoopThreads.VIRTUAL;
    }
  }

  @Nested
  final class InAPool extends OverSockets {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.POOL;
    }
  }

  @Nested
  final class OnTheEventLoop extends OverSockets {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.EVENT_LOOP;
    }
  }
}
