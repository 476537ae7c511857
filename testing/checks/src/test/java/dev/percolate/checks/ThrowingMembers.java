package dev.percolate.checks;

import dev.percolate.core.store.MemberStore;
import java.util.List;

/** A member store that fails. */
record ThrowingMembers(Fault fault) implements MemberStore {

  @Override
  public boolean join(Lease lease, Member member) {
    return fault.<Boolean>raise();
  }

  @Override
  public boolean leave(Lease lease, Member member) {
    return fault.<Boolean>raise();
  }

  @Override
  public Renewal renew(Lease lease) {
    return fault.raise();
  }

  @Override
  public List<String> members(String room) {
    return fault.raise();
  }

  @Override
  public int count(String room) {
    return fault.<Integer>raise();
  }
}
