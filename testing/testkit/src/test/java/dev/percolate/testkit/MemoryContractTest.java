package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that the in-memory engine keeps the contract in each thread mode. */
final class MemoryContractTest {

  @Execution(ExecutionMode.CONCURRENT)
  private abstract static class InMemory extends EngineContract {

    @Override
    protected Client serve(Service service) {
      MemoryEngine engine = new MemoryEngine(threads());
      return new Owning(engine, engine.client(service));
    }

    @Override
    protected boolean rejectsHeads() {
      return false;
    }

    @Override
    protected long maxHeld() {
      return 256 << 10; // a buffer of 64 KiB, the high-water mark of a response, and a chunk
    }
  }

  /** A client that closes its engine. */
  private record Owning(MemoryEngine engine, Client client) implements Client {

    @Override
    public TestConnection open(Call call) {
      return client.open(call);
    }

    @Override
    public void close() {
      client.close();
      engine.close();
    }
  }

  @Nested
  @EnabledForJreRange(min = JRE.JAVA_21)
  final class OnVirtualThreads extends InMemory {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.VIRTUAL;
    }
  }

  @Nested
  final class InAPool extends InMemory {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.POOL;
    }
  }

  @Nested
  final class OnTheEventLoop extends InMemory {

    @Override
    protected ThreadMode threads() {
      return ThreadMode.EVENT_LOOP;
    }
  }
}
