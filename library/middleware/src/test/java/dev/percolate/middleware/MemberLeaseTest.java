package dev.percolate.middleware;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.core.store.MemberStore;
import dev.percolate.middleware.store.StoreFailures;
import dev.percolate.middleware.topic.MemberLease;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests the members of one process whose store loses data. */
final class MemberLeaseTest {

  private static final String ROOM = "r".repeat(43);
  private static final MemberStore.Member ANN = new MemberStore.Member(ROOM, "ann");
  private static final MemberStore.Member BEN = new MemberStore.Member(ROOM, "ben");

  private final ManualTimer timer = new ManualTimer();

  private MemberLease lease(MemberStore store) {
    StoreFailures failures = new StoreFailures("the member store", text -> {});
    return new MemberLease(store, failures, timer, (member, joined) -> {});
  }

  private void renew(int times) {
    for (int i = 0; i < times; i++) {
      int ignored = timer.run();
    }
  }

  @Test
  void membersReturnToAnEmptyStoreInWhichAnotherMemberHasBegunTheLease() throws Exception {
    TroubledMembers store = new TroubledMembers(MemoryMembers.of());
    MemberLease lease = lease(store);
    Runnable unused = lease.join(ANN);
    renew(4); // her change is no longer repeated
    store.replace(MemoryMembers.of());
    Runnable unusedToo = lease.join(BEN);
    renew(3);
    assertEquals(Set.of("ann", "ben"), Set.copyOf(store.members(ROOM)));
  }

  @Test
  void membersStayWhileASlowStoreAddsThemAgain() throws Exception {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    MemoryMembers members = new MemoryMembers(now::get);
    TroubledMembers store = new TroubledMembers(members);
    MemberLease lease = lease(store);
    Runnable unused = lease.join(ANN);
    Runnable unusedToo = lease.join(BEN);
    store.fail(() -> new IOException("no response"));
    renew(1);
    store.fail(null);
    MemberStore.Lease other = new MemberStore.Lease("other", Duration.ofHours(1));
    List<MemberStore.Member> gone = new ArrayList<>();
    store.beforeJoin(
        () -> { // takes longer than a lease
          for (int i = 0; i < 4; i++) {
            now.set(now.get().plusSeconds(2));
            CompletableFuture.runAsync(() -> renew(1)).join();
          }
          gone.addAll(members.renew(other).gone());
        });
    renew(1);
    assertEquals(List.of(), gone);
    assertEquals(List.of(), members.renew(other).gone());
    assertEquals(Set.of("ann", "ben"), Set.copyOf(members.members(ROOM)));
  }

  @Test
  void aMemberThatJoinsWhileAnIdleProcessEndsItsLeaseIsKept() throws Exception {
    AtomicReference<Runnable> atEnd = new AtomicReference<>(() -> {});
    MemoryMembers members = new MemoryMembers(Instant::now);
    MemberStore slow =
        new MemberStore() {
          @Override
          public boolean join(Lease lease, Member member) {
            return members.join(lease, member);
          }

          @Override
          public boolean leave(Lease lease, Member member) {
            return members.leave(lease, member);
          }

          @Override
          public Renewal renew(Lease lease) {
            if (lease.time().isZero()) {
              atEnd.getAndSet(() -> {}).run();
            }
            return members.renew(lease);
          }

          @Override
          public List<String> members(String room) throws IOException {
            return members.members(room);
          }

          @Override
          public int count(String room) throws IOException {
            return members.count(room);
          }
        };
    MemberLease lease = lease(slow);
    atEnd.set(
        () -> {
          Runnable ignored = lease.join(ANN);
        });
    int count = lease.ask(store -> store.count(ROOM)); // begins the lease
    assertEquals(0, count);
    renew(3); // the first one ends it
    assertEquals(List.of("ann"), members.members(ROOM));
  }
}
