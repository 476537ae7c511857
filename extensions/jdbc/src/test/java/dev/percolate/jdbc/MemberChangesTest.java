package dev.percolate.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.store.MemberStore.Lease;
import dev.percolate.core.store.MemberStore.Member;
import dev.percolate.jdbc.MemberChanges.Change;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class MemberChangesTest {

  private static final Lease LEASE = new Lease("server", Duration.ofSeconds(6));

  private final MemberChanges changes = new MemberChanges(this::store);

  /** The users of each call. */
  private final ConcurrentLinkedQueue<List<String>> calls = new ConcurrentLinkedQueue<>();

  private final Set<Member> members = new HashSet<>();
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private volatile boolean down;

  /** The first call waits. A user whose name begins with "bad" is rejected. */
  private Set<Member> store(List<Change> batch) throws IOException {
    calls.add(batch.stream().map(one -> one.member.user()).sorted().toList());
    began.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (down) {
      throw new IOException("no response");
    }
    if (batch.stream().anyMatch(one -> one.member.user().startsWith("bad"))) {
      throw new StatementRejectedException("SQL state 22021");
    }
    Set<Member> news = new HashSet<>();
    for (Change one : batch) {
      if (one.joins ? members.add(one.member) : members.remove(one.member)) {
        news.add(one.member);
      }
    }
    return news;
  }

  private FutureTask<Boolean> begin(boolean joins, String user) throws Exception {
    Change change = new Change(joins, LEASE, new Member("room", user));
    FutureTask<Boolean> task = new FutureTask<>(() -> changes.store(change));
    Thread thread = new Thread(task);
    thread.start();
    while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
      Thread.sleep(1);
    }
    return task;
  }

  /** Joins while the first user is stored. */
  private List<FutureTask<Boolean>> joinDuringFirst(String... users) throws Exception {
    List<FutureTask<Boolean>> all = new ArrayList<>();
    all.add(begin(true, "first"));
    began.await();
    for (String user : users) {
      all.add(begin(true, user));
    }
    return all;
  }

  private static String[] users(int number) {
    return Stream.iterate(0, i -> i + 1).limit(number).map(i -> "user" + i).toArray(String[]::new);
  }

  private static String failure(FutureTask<?> task) {
    return assertThrows(ExecutionException.class, () -> task.get(20, TimeUnit.SECONDS))
        .getCause()
        .getMessage();
  }

  @Test
  void changesThatWaitAreStoredTogether() throws Exception {
    List<FutureTask<Boolean>> all = joinDuringFirst("ann", "ben", "eve");
    goOn.countDown();
    for (FutureTask<Boolean> one : all) {
      assertTrue(one.get());
    }
    assertEquals(List.of(List.of("first"), List.of("ann", "ben", "eve")), List.copyOf(calls));
  }

  @Test
  void changesOfOneMemberAreStoredOneAfterTheOther() throws Exception {
    List<FutureTask<Boolean>> all = joinDuringFirst("ann");
    FutureTask<Boolean> left = begin(false, "ann");
    FutureTask<Boolean> again = begin(false, "ann");
    goOn.countDown();
    assertTrue(all.get(1).get());
    assertTrue(left.get());
    assertFalse(again.get());
    assertEquals(
        List.of(List.of("first"), List.of("ann"), List.of("ann"), List.of("ann")),
        List.copyOf(calls));
  }

  @Test
  void aTransactionHoldsFewLocks() throws Exception {
    List<FutureTask<Boolean>> all = joinDuringFirst(users(150));
    goOn.countDown();
    for (FutureTask<Boolean> one : all) {
      assertTrue(one.get());
    }
    assertEquals(List.of(1, 100, 50), calls.stream().map(List::size).toList());
  }

  @Test
  void aRejectedChangeFailsAlone() throws Exception {
    List<FutureTask<Boolean>> all = joinDuringFirst("ann", "bad", "eve");
    goOn.countDown();
    assertTrue(all.get(1).get());
    assertEquals("SQL state 22021", failure(all.get(2)));
    assertTrue(all.get(3).get());
  }

  @Test
  void allThatWaitFailTogetherIfTheDatabaseIsDown() throws Exception {
    List<FutureTask<Boolean>> all = joinDuringFirst(users(20));
    down = true;
    goOn.countDown();
    for (FutureTask<Boolean> one : all) {
      assertEquals("no response", failure(one));
    }
    assertEquals(1, calls.size());
    down = false;
    assertTrue(begin(true, "ann").get());
  }

  @Test
  void anInterruptedThreadFailsAlone() throws Exception {
    Change change = new Change(true, LEASE, new Member("room", "first"));
    FutureTask<Boolean> interrupted = new FutureTask<>(() -> changes.store(change));
    Thread thread = new Thread(interrupted);
    thread.start();
    began.await();
    FutureTask<Boolean> other = begin(true, "ann");
    thread.interrupt();
    assertEquals("interrupted", failure(interrupted));
    goOn.countDown();
    assertTrue(other.get());
    assertEquals(Set.of(new Member("room", "ann")), members);
  }
}
