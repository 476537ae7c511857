package dev.percolate.middleware;

import dev.percolate.core.store.RateLimitStore;
import dev.percolate.testkit.RateLimitStoreContract;

/** Runs the contract of rate stores on {@link MemoryRateLimits}. */
final class MemoryRateLimitsContractTest extends RateLimitStoreContract {

  private final RateLimitStore store = MemoryRateLimits.of();

  @Override
  protected RateLimitStore store() {
    return store;
  }
}
