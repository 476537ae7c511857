package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.nio.NioEngine;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Streams keep the contract of engines in each thread mode, through a gateway of HTTP/1.1. */
final class Http2ContractTest {

  @Execution(ExecutionMode.CONCURRENT)
  private abstract static class OverStreams extends EngineContract {

    @Override
    protected Client serve(Service service) throws Exception {
      ListenOptions options =
          ListenOptions.ofPort(0).host("127.0.0.1").threads(threads()).http2PriorKnowledge(true);
      return Client.of(Gateway.before(new NioEngine().listen(service, options)));
    }

    @Override
    protected boolean keepsNames() {
      return false;
    }

    @Override
    protected String version() {
      return "2.0";
    }

    @Override
    protected boolean refusalsClose() {
      return false;
    }
  }

  @Nested
  @EnabledForJreRange(min = JRE.JAVA_21)
  final class OnVirtualThreads extends OverStreams {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.VIRTUAL;
    }
  }

  @Nested
  final class InAPool extends OverStreams {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.POOL;
    }
  }

  @Nested
  final class OnTheEventLoop extends OverStreams {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.EVENT_LOOP;
    }
  }
}
