package dev.percolate.middleware;

import dev.percolate.core.store.MemberStore;
import dev.percolate.testkit.RoomsContract;

/** Runs the contract of member stores in memory. */
final class MemoryMembersTest extends RoomsContract {

  private final MemberStore store = MemoryMembers.of();

  @Override
  protected MemberStore store() {
    return store;
  }
}
