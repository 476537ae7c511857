package dev.percolate.jdk;

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

/**
 * The engine on the JDK's server keeps the contract, in each of its thread modes, but for what it
 * states.
 */
final class JdkContractTest {

  @Execution(ExecutionMode.CONCURRENT)
  private abstract static class OverSockets extends EngineContract {

    @Override
    protected Client serve(Service service) throws Exception {
      ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(threads());
      return Client.of(new JdkEngine().listen(service, options));
    }

    @Override
    protected boolean upgrades() {
      return false;
    }

    @Override
    protected boolean keepsNames() {
      return false;
    }

    @Override
    protected boolean keepsOrder() {
      return false;
    }

    @Override
    protected boolean noticesHangUps() {
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
}
