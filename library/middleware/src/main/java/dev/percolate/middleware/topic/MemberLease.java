package dev.percolate.middleware.topic;

import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.MemberStore.Lease;
import dev.percolate.core.store.MemberStore.Member;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.middleware.store.StoreFailures;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * The members of rooms that are connected to this process, and their lease in the store. The lease
 * is renewed while there are members, and after {@link #watch} until {@link #end}.
 *
 * <p>Each change is repeated with the second next renewal, since a store that fails over may lose
 * its last seconds. After a failure, or if the store does not know the lease, all members are
 * stored again under a new lease. Both are renewed meanwhile. Then the old one ends, with all that
 * the store may contain in addition.
 */
public final class MemberLease {

  /** The time after which the members of a server that is killed are removed. */
  static final Duration TIME = Duration.ofSeconds(6);

  static final Duration RENEWAL = Duration.ofSeconds(2);

  private static final int LOCKS = 64;

  /** How many earlier leases are renewed while the store fails again and again. */
  private static final int MOST_REPLACED = 8;

  private final MemberStore store;
  private final StoreFailures failures;
  private final TopicSubscription.Timer timer;
  private final BiConsumer<Member, Boolean> events;

  /** The number of sockets of each member. */
  private final Map<Member, Integer> sockets = new ConcurrentHashMap<>();

  /** The members in the store, with their leases. */
  private final Map<Member, Lease> stored = new ConcurrentHashMap<>();

  /** Held while a member is added to or removed from the store. */
  private final ReentrantLock[] locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(ReentrantLock[]::new);

  private final ReentrantLock repairing = new ReentrantLock();
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile Lease lease = newLease();

  /** Earlier leases, which are renewed until all members are stored under the current one. */
  private final Set<Lease> replaced = ConcurrentHashMap.newKeySet();

  /** Whether the store may differ from {@link #stored}. */
  private volatile boolean lost;

  /** Changes since the last renewal, and of the interval before it. */
  private volatile Set<Member> changed = ConcurrentHashMap.newKeySet();

  private volatile Set<Member> earlier = Set.of();

  /** The stored members to check. Used while repairing is locked. */
  private Iterator<Member> unchecked = Collections.emptyIterator();

  private volatile Runnable cancel = () -> {};
  private volatile boolean watched;

  /**
   * A query of the store.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  public interface Query<T> {

    T run(MemberStore store) throws IOException;
  }

  /** A change of the store. */
  @FunctionalInterface
  private interface Change {

    void run() throws IOException;
  }

  /**
   * Creates the lease of a process.
   *
   * @param events receives the members that join (true) and leave (false)
   */
  public MemberLease(
      MemberStore store,
      StoreFailures failures,
      TopicSubscription.Timer timer,
      BiConsumer<Member, Boolean> events) {
    this.store = store;
    this.failures = failures;
    this.timer = timer;
    this.events = events;
  }

  private static Lease newLease() {
    return new Lease(UUID.randomUUID().toString(), TIME);
  }

  /**
   * Adds a socket of a member.
   *
   * @return removes the socket, without blocking; further calls do nothing
   */
  public Runnable join(Member member) {
    Integer ignored = sockets.merge(member, 1, Integer::sum);
    boolean added = false;
    try {
      start();
      settle(member, false);
      added = true;
    } catch (IOException e) {
      throw failures.reject(e);
    } finally {
      if (!added) {
        boolean unused = isLast(member);
      }
    }
    AtomicBoolean left = new AtomicBoolean();
    return () -> {
      if (left.compareAndSet(false, true) && isLast(member)) {
        DaemonTimer.execute(() -> attempt(() -> settle(member, false)));
      }
    };
  }

  /** Removes a socket, and returns true if it was the last one of its member. */
  private boolean isLast(Member member) {
    return sockets.computeIfPresent(member, (key, n) -> n == 1 ? null : n - 1) == null;
  }

  /** Queries the store, after removing the members of servers that were killed. */
  public <T> T ask(Query<T> query) {
    try {
      if (!running.get()) {
        renew(lease);
        start();
      }
      return query.run(store);
    } catch (IOException e) {
      throw failures.reject(e);
    }
  }

  /** Renews the lease until the end, so that members of killed servers are reported. */
  public void watch() {
    watched = true;
    start();
  }

  /** Removes all members of this process from the store. */
  public void end() {
    cancel.run();
    running.set(false);
    watched = false;
    boolean ignored = endNow(lease);
    boolean unused = replaced.removeIf(this::endNow);
    lost = false;
    replaced.clear();
    stored.clear();
    changed.clear();
    earlier = Set.of();
  }

  /** Ends a lease, and returns false if the store fails. */
  private boolean endNow(Lease one) {
    return attempt(() -> renew(new Lease(one.server(), Duration.ZERO)));
  }

  /** Returns the number of members that this process has in memory. */
  public int size() {
    return sockets.size() + stored.size() + changed.size() + earlier.size();
  }

  /** Adds a member to the store, or removes it from the store if it has no socket. */
  private void settle(Member member, boolean repeated) throws IOException {
    ReentrantLock lock = locks[Math.floorMod(member.hashCode(), LOCKS)];
    lock.lock();
    boolean done = false;
    try {
      boolean here = sockets.containsKey(member);
      Lease known = stored.get(member);
      if (repeated || (here ? !lease.equals(known) : known != null)) {
        Lease current = here || known == null ? lease : known;
        boolean news = here ? store.join(current, member) : store.leave(current, member);
        if (news && here && current.equals(known)) {
          lost = true; // the store no longer had a member that was stored
        }
        if (here) {
          stored.put(member, current);
        } else {
          stored.remove(member);
        }
        if (!repeated) {
          changed.add(member);
        }
        if (news) {
          events.accept(member, here);
        }
      }
      done = true;
    } finally {
      if (!done) {
        lost = true; // the store may have made the change
        stored.remove(member);
      }
      lock.unlock();
    }
  }

  private void start() {
    if (running.compareAndSet(false, true)) {
      cancel = timer.after(RENEWAL, this::run);
    }
  }

  private void run() {
    boolean renewed = attempt(() -> renew(lease));
    for (Lease old : replaced) {
      renewed &= attempt(() -> renew(old));
    }
    if (size() == 0 && !watched) {
      end();
      if (!sockets.isEmpty()) { // a socket has joined in the meantime
        lost = true; // the end may have removed its member
        start();
      }
      return;
    }
    cancel = timer.after(RENEWAL, this::run);
    if (renewed && repairing.tryLock()) {
      try {
        repair();
      } finally {
        repairing.unlock();
      }
    }
  }

  private void renew(Lease renewed) throws IOException {
    MemberStore.Renewal renewal;
    do {
      renewal = store.renew(renewed);
      if (!renewal.known() && renewed.equals(lease) && !stored.isEmpty()) {
        lost = true;
      }
      renewal.gone().forEach(member -> events.accept(member, false));
    } while (!renewal.gone().isEmpty());
  }

  private void repair() {
    if (!lost) {
      boolean ignored = attempt(this::check);
    }
    Set<Member> due = earlier;
    if (lost) {
      lost = false;
      if (replaced.size() < MOST_REPLACED) {
        replaced.add(lease);
      }
      lease = newLease();
      due = Set.copyOf(sockets.keySet());
    }
    earlier = changed;
    changed = ConcurrentHashMap.newKeySet();
    boolean done = due.stream().allMatch(member -> attempt(() -> settle(member, true)));
    if (done) {
      boolean ignored = replaced.removeIf(this::endNow);
    }
  }

  /**
   * Stores one member again. If the store did not have it, the store has lost data, and a join has
   * begun the lease again, so that the renewal did not show it.
   */
  private void check() throws IOException {
    if (!unchecked.hasNext()) {
      unchecked = stored.keySet().iterator();
    }
    if (unchecked.hasNext()) {
      settle(unchecked.next(), true);
    }
  }

  /** Makes a change in the background, and returns false if the store fails. */
  private boolean attempt(Change change) {
    try {
      change.run();
      return true;
    } catch (Throwable e) { // otherwise the lease would no longer be renewed
      lost = true;
      failures.note(e);
      return false;
    }
  }
}
