package dev.percolate.nio;

import dev.percolate.engine.Engine;
import org.junit.jupiter.api.Tag;

@Tag("long")
final class StalledClientsTest extends StalledClientsContract {

  @Override
  protected Engine engine() {
    return new NioEngine();
  }
}
