package dev.percolate.nio;

import dev.percolate.engine.Engine;
import dev.percolate.engine.tests.CrowdContract;
import dev.percolate.engine.tests.LastAnswerContract;
import dev.percolate.engine.tests.ManyBodiesContract;
import dev.percolate.engine.tests.StalledClientsContract;
import dev.percolate.engine.tests.ThreadModesContract;
import dev.percolate.engine.tests.TimeoutContract;
import dev.percolate.engine.tests.UnreadBodyContract;
import org.junit.jupiter.api.Nested;

/** What holds for connections in clear text holds for those with TLS. */
final class TunnelTest {
  @Nested
  final class ThreadModes extends ThreadModesContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  final class Timeout extends TimeoutContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
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
  final class UnreadBody extends UnreadBodyContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  final class StalledClients extends StalledClientsContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }

  @Nested
  final class ManyBodies extends ManyBodiesContract {

    @Override
    protected Engine engine() {
      return new TunnelEngine();
    }
  }
}
