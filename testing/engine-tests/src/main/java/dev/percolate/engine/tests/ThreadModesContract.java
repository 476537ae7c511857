package dev.percolate.engine.tests;

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

/** The engine fulfills {@link EngineContract} over sockets, in each thread mode. */
public abstract class ThreadModesContract extends ServerContract {

  @Execution(ExecutionMode.CONCURRENT)
  private abstract class OverSockets extends EngineContract {

    @Override
    protected Client serve(Service service) throws Exception {
      ListenOptions options = options().threads(threads());
      return Client.of(engine().listen(service, options));
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
