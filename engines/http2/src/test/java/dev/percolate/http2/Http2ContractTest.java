package dev.percolate.http2;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.nio.NioEngine;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** HTTP/2 meets the contract of engines in each thread mode, through a gateway from HTTP/1.1. */
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@MethodSource("modes")
final class Http2ContractTest extends EngineContract {

  private final ThreadMode threads;

  Http2ContractTest(ThreadMode threads) {
    this.threads = threads;
  }

  static List<ThreadMode> modes() {
    return VirtualThreads.available()
        ? List.of(ThreadMode.values())
        : List.of(ThreadMode.POOL, ThreadMode.EVENT_LOOP);
  }

  @Override
  protected ThreadMode threads() {
    return threads;
  }

  @Override
  protected Client serve(Service service) throws Exception {
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").threads(threads).http2PriorKnowledge(true);
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
  protected boolean rejectionsClose() {
    return false;
  }
}
