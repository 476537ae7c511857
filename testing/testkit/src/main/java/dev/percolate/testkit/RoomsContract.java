package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.MemberStore.Lease;
import dev.percolate.core.store.MemberStore.Member;
import dev.percolate.core.store.MemberStore.Renewal;
import dev.percolate.http.Hash;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the contract of a {@link MemberStore}: members of rooms over several servers, and the
 * leases of servers that are killed. Extend this class in the tests of a store:
 *
 * <pre>
 *   final class MemoryMembersTest extends RoomsContract {
 *     private final MemberStore store = MemoryMembers.of();
 *
 *     &#64;Override protected MemberStore store() { return store; }
 *   }
 * </pre>
 *
 * <p>Each test uses new rooms and servers, so that tests can share a store.
 */
public abstract class RoomsContract {

  private static final long DEADLINE_SECONDS = 20;
  private static final int MANY = 1200;

  private final String room = newRoom();
  private final Lease ann = newLease();
  private final Lease ben = newLease();

  /** Creates the tests of one store. */
  protected RoomsContract() {}

  /**
   * Returns the store.
   *
   * @return the same members for all calls of one test
   */
  protected abstract MemberStore store() throws Exception;

  /** Returns another connection to the same members, as another process has. Default: the store. */
  protected MemberStore other() throws Exception {
    return store();
  }

  private static String newRoom() {
    return Hash.sha256(UUID.randomUUID().toString());
  }

  private static Lease newLease() {
    return new Lease(UUID.randomUUID().toString(), Duration.ofMinutes(5));
  }

  private Member member(String user) {
    return new Member(room, user);
  }

  @AfterEach
  void endLeases() throws Exception {
    for (Lease lease : List.of(ann, ben)) {
      kill(lease);
    }
  }

  /** Ends a lease at once. */
  private List<Member> kill(Lease lease) throws Exception {
    List<Member> gone = new ArrayList<>();
    Lease ended = new Lease(lease.server(), Duration.ZERO);
    for (List<Member> some = store().renew(ended).gone();
        !some.isEmpty();
        some = store().renew(ended).gone()) {
      gone.addAll(some);
    }
    return gone;
  }

  private Set<String> users() throws Exception {
    List<String> users = other().members(room);
    assertEquals(users.size(), other().count(room));
    Set<String> distinct = new HashSet<>(users);
    assertEquals(users.size(), distinct.size(), users::toString);
    return distinct;
  }

  @Test
  void membersOfAllServersAreInTheRoomUntilTheyLeave() throws Exception {
    assertEquals(Set.of(), users());
    assertTrue(store().join(ann, member("ann")));
    assertTrue(other().join(ben, member("ben")));
    assertEquals(Set.of("ann", "ben"), users());
    assertTrue(store().leave(ann, member("ann")));
    assertEquals(Set.of("ben"), users());
    assertTrue(other().leave(ben, member("ben")));
    assertEquals(Set.of(), users());
  }

  @Test
  void aUserOnTwoServersIsOneMemberUntilBothHaveRemovedThem() throws Exception {
    assertTrue(store().join(ann, member("ann")));
    assertFalse(other().join(ben, member("ann")));
    assertEquals(Set.of("ann"), users());
    assertFalse(store().leave(ann, member("ann")));
    assertEquals(Set.of("ann"), users());
    assertTrue(other().leave(ben, member("ann")));
    assertEquals(Set.of(), users());
  }

  @Test
  void repeatedJoinsAndLeavesChangeNothing() throws Exception {
    assertFalse(store().leave(ann, member("ann")));
    assertTrue(store().join(ann, member("ann")));
    assertFalse(store().join(ann, member("ann")));
    assertFalse(other().leave(ben, member("ann")));
    assertEquals(Set.of("ann"), users());
    assertTrue(store().leave(ann, member("ann")));
    assertFalse(store().leave(ann, member("ann")));
    assertEquals(Set.of(), users());
  }

  @Test
  void roomsAreSeparate() throws Exception {
    Member elsewhere = new Member(newRoom(), "ann");
    assertTrue(store().join(ann, member("ann")));
    assertTrue(store().join(ann, elsewhere));
    assertTrue(store().leave(ann, elsewhere));
    assertEquals(0, store().count(elsewhere.room()));
    assertEquals(Set.of("ann"), users());
  }

  @Test
  void namesOfUsersReturnUnchanged() throws Exception {
    Set<String> names =
        Set.of("a", "A", " a", "ü € 😀", "'; drop table x", "a\nb\tc", "\u0001", "x".repeat(256));
    for (String name : names) {
      assertTrue(store().join(ann, member(name)), name);
    }
    assertEquals(names, users());
    for (String name : names) {
      assertTrue(store().leave(ann, member(name)), name);
    }
    assertEquals(Set.of(), users());
  }

  @Test
  void aLeaseIsKnownAfterTheFirstRenewalOrJoin() throws Exception {
    assertFalse(store().renew(ann).known());
    assertTrue(other().renew(ann).known());
    assertTrue(store().join(ben, member("ben")));
    assertTrue(other().renew(ben).known());
    assertEquals(Set.of("ben"), users());
  }

  @Test
  void membersOfAKilledServerAreReportedOnceAndRemoved() throws Exception {
    assertTrue(store().join(ann, member("only on the killed server")));
    assertTrue(store().join(ann, member("on both")));
    assertFalse(store().join(ben, member("on both")));
    Renewal last = store().renew(new Lease(ann.server(), Duration.ofMillis(1)));
    List<Member> gone = new ArrayList<>(own(last));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (gone.isEmpty() && System.nanoTime() < end) {
      gone.addAll(own(other().renew(ben)));
    }
    assertEquals(List.of(member("only on the killed server")), gone);
    assertEquals(Set.of("on both"), users());
    assertEquals(List.of(), own(other().renew(ben)));
    assertFalse(store().renew(ann).known(), "a server that was slow adds its members again");
    assertTrue(store().join(ann, member("only on the killed server")));
  }

  /** Returns the removed members of this test. */
  private List<Member> own(Renewal renewal) {
    return renewal.gone().stream().filter(one -> one.room().equals(room)).toList();
  }

  @Test
  void aServerWhoseMembersAreBeingRemovedIsUnknown() throws Exception {
    for (int i = 0; i < MANY; i++) {
      assertTrue(store().join(ann, member("user " + i)));
    }
    Renewal brief = store().renew(new Lease(ann.server(), Duration.ofMillis(1)));
    assertTrue(brief.known());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (own(other().renew(ben)).isEmpty() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertFalse(store().renew(ann).known(), "it has lost members");
  }

  @Test
  void anEndedLeaseHoldsNoMemberOfAnotherServer() throws Exception {
    for (int i = 0; i < MANY; i++) {
      assertTrue(store().join(ann, member("user " + i)));
      assertFalse(other().join(ben, member("user " + i)));
    }
    assertEquals(List.of(), own(store().renew(new Lease(ann.server(), Duration.ZERO))));
    for (int i = 0; i < MANY; i++) {
      assertTrue(other().leave(ben, member("user " + i)), "user " + i);
    }
  }

  @Test
  void aServerThatEndsItsLeaseRemovesAllItsMembers() throws Exception {
    Set<Member> all = new HashSet<>();
    for (int i = 0; i < MANY; i++) {
      all.add(member("user " + i));
      assertTrue(store().join(ann, member("user " + i)));
    }
    assertEquals(MANY, users().size());
    List<Member> gone = kill(ann).stream().filter(one -> one.room().equals(room)).toList();
    assertEquals(MANY, gone.size());
    assertEquals(all, new HashSet<>(gone));
    assertEquals(Set.of(), users());
  }

  @Test
  void eachChangeIsReportedByOneServerIfManyChangeOneMember() throws Exception {
    int rounds = 20;
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Lease> leases = List.of(ann, ben, newLease(), newLease());
    try {
      for (int round = 0; round < rounds; round++) {
        assertEquals(1, count(threads, leases, (store, lease) -> store.join(lease, member("ann"))));
        assertEquals(Set.of("ann"), users());
        assertEquals(
            1, count(threads, leases, (store, lease) -> store.leave(lease, member("ann"))));
        assertEquals(Set.of(), users());
      }
    } finally {
      threads.shutdown();
      for (Lease lease : leases) {
        kill(lease);
      }
    }
  }

  /** A change that a server makes. */
  private interface Change {

    boolean by(MemberStore store, Lease lease) throws IOException;
  }

  /** Lets all servers make a change at once, and returns how many report it. */
  private long count(ExecutorService threads, List<Lease> leases, Change change) throws Exception {
    List<Callable<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < leases.size(); i++) {
      MemberStore store = i % 2 == 0 ? store() : other();
      Lease lease = leases.get(i);
      all.add(() -> change.by(store, lease));
    }
    int news = 0;
    for (Future<Boolean> one : threads.invokeAll(all)) {
      news += one.get(DEADLINE_SECONDS, TimeUnit.SECONDS) ? 1 : 0;
    }
    return news;
  }
}
