package dev.percolate.nio;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The engine fulfills {@link EngineContract} in each thread mode. */
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@MethodSource("modes")
final class ThreadModesTest extends EngineContract {

  private final TestedTransport transport;
  private final ThreadMode threads;

  ThreadModesTest(TestedTransport transport, ThreadMode threads) {
    this.transport = transport;
    this.threads = threads;
  }

  /** Over TLS, only the fastest mode runs always. */
  static Stream<Arguments> modes() {
    return Stream.of(ThreadMode.values())
        .filter(mode -> mode != ThreadMode.VIRTUAL || VirtualThreads.available())
        .flatMap(mode -> transports(mode).stream().map(transport -> arguments(transport, mode)));
  }

  private static List<TestedTransport> transports(ThreadMode mode) {
    return mode == ThreadMode.EVENT_LOOP ? TestedTransport.all() : TestedTransport.slow();
  }

  @Override
  protected Client serve(Service service) throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(threads);
    return Client.of(transport.engine().listen(service, options));
  }

  @Override
  protected ThreadMode threads() {
    return threads;
  }
}
