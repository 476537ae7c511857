package dev.percolate.middleware;

import dev.percolate.core.store.MemberStore;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A member store that can fail, and be replaced by another one, as after a failover. */
final class TroubledMembers implements MemberStore {

  private volatile MemberStore store;
  private volatile @Nullable Lease lease;
  private volatile @Nullable Supplier<? extends Exception> failure;

  private volatile Runnable beforeJoin = () -> {};

  TroubledMembers(MemberStore store) {
    this.store = store;
  }

  void replace(MemberStore other) {
    store = other;
  }

  /** Makes all calls fail; null for no failure. */
  void fail(@Nullable Supplier<? extends Exception> with) {
    failure = with;
  }

  /** Runs a task before each join. */
  void beforeJoin(Runnable task) {
    beforeJoin = task;
  }

  /** Returns the lease of the last server that has added a member. */
  @Nullable Lease lease() {
    return lease;
  }

  private MemberStore store() throws IOException {
    Supplier<? extends Exception> with = failure;
    if (with == null) {
      return store;
    }
    Exception thrown = with.get();
    if (thrown instanceof IOException e) {
      throw e;
    }
    throw (RuntimeException) thrown;
  }

  @Override
  public boolean join(Lease by, Member member) throws IOException {
    lease = by;
    beforeJoin.run();
    return store().join(by, member);
  }

  @Override
  public boolean leave(Lease lease, Member member) throws IOException {
    return store().leave(lease, member);
  }

  @Override
  public Renewal renew(Lease lease) throws IOException {
    return store().renew(lease);
  }

  @Override
  public List<String> members(String room) throws IOException {
    return store().members(room);
  }

  @Override
  public int count(String room) throws IOException {
    return store().count(room);
  }
}
