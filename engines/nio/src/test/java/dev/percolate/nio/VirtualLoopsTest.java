package dev.percolate.nio;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The engine fulfills {@link EngineContract} if its loops share carriers with the handlers. */
@EnabledIf("dev.percolate.nio.LoopThreads#available")
@Execution(ExecutionMode.CONCURRENT)
final class VirtualLoopsTest extends EngineContract {

  @Override
  protected ThreadMode threads() {
    return ThreadMode.VIRTUAL;
  }

  @Override
  protected Client serve(Service service) throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(threads());
    return Client.of(new NioEngine(() -> LoopThreads.VIRTUAL).listen(service, options));
  }
}
