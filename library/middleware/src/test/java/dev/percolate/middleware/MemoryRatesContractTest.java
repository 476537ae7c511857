package dev.percolate.middleware;

import dev.percolate.core.store.RateStore;
import dev.percolate.testkit.RateStoreContract;

/** Runs the contract of rate stores on {@link MemoryRates}. */
final class MemoryRatesContractTest extends RateStoreContract {

  private final RateStore store = MemoryRates.of();

  @Override
  protected RateStore store() {
    return store;
  }
}
