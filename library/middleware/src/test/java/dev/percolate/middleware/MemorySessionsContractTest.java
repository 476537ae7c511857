package dev.percolate.middleware;

import dev.percolate.core.store.SessionStore;
import dev.percolate.testkit.SessionStoreContract;

/** Runs the contract of session stores on {@link MemorySessions}. */
final class MemorySessionsContractTest extends SessionStoreContract {

  private final SessionStore store = MemorySessions.of();

  @Override
  protected SessionStore store() {
    return store;
  }
}
