package dev.percolate.vertx;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The engine on Vert.x keeps the contract over sockets, in each of its thread modes. */
final class VertxContractTest {

  @Execution(ExecutionMode.CONCURRENT)
  private abstract static class OverSockets extends EngineContract {

    @Override
    protected Client serve(Service service) throws Exception {
      ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(threads());
      return Client.of(new VertxEngine().listen(service, options));
    }

    @Override
    protected boolean upgrades() {
      return false;
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
