package dev.percolate.testkit;

import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import org.junit.jupiter.api.Nested;

/**
 * Tests the contract of an engine: the behavior of {@link dev.percolate.engine.Exchange}, and the
 * threads that run handlers. Extend this class in the tests of an engine, once for each thread
 * mode:
 *
 * <pre>
 *   final class PoolContractTest extends EngineContract {
 *     &#64;Override protected ThreadMode threads() { return ThreadMode.POOL; }
 *
 *     &#64;Override protected Client serve(Service service) throws Exception {
 *       return Client.of(engine.listen(service, ListenOptions.ofPort(0).threads(threads())));
 *     }
 *   }
 * </pre>
 *
 * <p>If the engine cannot meet a requirement, override the method for it: {@code keepsNames},
 * {@code keepsOrder}, {@code keepsTypes}, {@code rejectsHeads}, {@code noticesDisconnects}, {@code
 * maxHeld}, {@code upgrades}, {@code version} or {@code rejectionsClose}. All other requirements
 * apply to every engine.
 */
public abstract class EngineContract extends TestedEngine {

  /** Creates the tests of one engine in one thread mode. */
  protected EngineContract() {}

  @Override
  protected abstract ThreadMode threads();

  @Override
  protected abstract Client serve(Service service) throws Exception;

  @Nested
  final class Requests extends RequestContract {
    Requests() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Handlers extends StepContract {
    Handlers() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Errors extends ErrorContract {
    Errors() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Races extends RaceContract {
    Races() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Headers extends HeaderContract {
    Headers() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Responses extends ResponseContract {
    Responses() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Rejections extends RejectionContract {
    Rejections() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Upgrades extends UpgradeContract {
    Upgrades() {
      super(EngineContract.this);
    }
  }

  @Nested
  final class Endings extends FinishContract {
    Endings() {
      super(EngineContract.this);
    }
  }
}
