package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.fixtures.CrowdContract;
import dev.percolate.fixtures.LastAnswerContract;
import dev.percolate.fixtures.ManyBodiesContract;
import dev.percolate.fixtures.ThreadModesContract;
import dev.percolate.fixtures.TimeoutContract;
import dev.percolate.fixtures.UnreadBodyContract;
import dev.percolate.testkit.Client;
import dev.percolate.testkit.EngineContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Runs the contracts of clear-text connections over TLS. Most of them take long and run only with
 * {@code -Dtls.contracts=all}.
 */
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class TunnelTest {

  @Nested
  @EnabledIfSystemProperty(named = "tls.contracts", matches = "all")
  final class ThreadModes extends ThreadModesContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "tls.contracts", matches = "all")
  final class Timeout extends TimeoutContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  final class OnTheEventLoop extends EngineContract {

    @Override
    protected Client serve(Service service) throws Exception {
      ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(threads());
      return Client.of(new TunnelEngine().listen(service, options));
    }

    @Override
    protected ThreadMode threads() {
      return ThreadMode.EVENT_LOOP;
    }

    @Override
    protected boolean upgrades() {
      return true;
    }
  }

  @Nested
  final class Crowd extends CrowdContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  final class LastAnswer extends LastAnswerContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "tls.contracts", matches = "all")
  final class UnreadBody extends UnreadBodyContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "tls.contracts", matches = "all")
  final class StalledClients extends StalledClientsContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  @EnabledIfSystemProperty(named = "tls.contracts", matches = "all")
  final class ManyBodies extends ManyBodiesContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }
}
