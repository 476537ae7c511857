package dev.percolate.middleware.topic;

import dev.percolate.core.store.TopicBus;
import dev.percolate.middleware.socket.OfferQueue;
import dev.percolate.middleware.socket.SocketThreads;
import dev.percolate.middleware.store.StoreFailures;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one topic in this process. They share one {@link TopicSubscription}. A listener
 * that reconnects gets the messages it missed from memory.
 *
 * <p>A listener that leaves never waits, since its thread may hold a resource that a sender waits
 * for.
 */
public final class TopicListeners {

  /** The minimum time between two queries to the bus about ids that have not arrived here. */
  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(1);

  private final TopicBus bus;
  private final String name;
  private final int keep;
  private final long most;
  private final TopicSubscription.Timer timer;
  private final StoreFailures failures;
  private final TopicSubscription subscription;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final TopicMemory memory;
  private boolean asking;
  private long nextQuestion = System.nanoTime();

  /** In the order in which they were added. Added to with the lock, and removed from without it. */
  private final Set<ListenerSubscription> places =
      new ConcurrentSkipListSet<>(Comparator.comparingLong(ListenerSubscription::number));

  /** The number of places created so far. Guarded by lock. */
  private long created;

  /** The newest id. Written with the lock. */
  private volatile long last;

  public TopicListeners(
      TopicBus bus,
      String name,
      int keep,
      long most,
      long mostKept,
      TopicSubscription.Timer timer,
      StoreFailures failures) {
    this.most = most;
    this.bus = bus;
    this.name = name;
    this.keep = keep;
    this.timer = timer;
    this.failures = failures;
    this.memory = new TopicMemory(keep, mostKept, most);
    this.subscription = new TopicSubscription(this::open, timer, failures);
  }

  /**
   * Adds a listener.
   *
   * @param since the id after which it begins; negative to begin at a time. An id that has not
   *     arrived here may have reached another process first, or may be unknown to the bus. The bus
   *     is queried at most once a second for all such listeners. If the id is unknown, the listener
   *     gets all stored messages
   * @param from the time at which a listener without an id begins, by {@link System#nanoTime}; null
   *     for now
   * @param listener the listener; null if its client is not connected yet, see {@link #open}
   * @return the place of the listener, to {@linkplain #leave leave}
   * @throws IOException if the bus fails
   */
  public ListenerSubscription add(long since, @Nullable Long from, @Nullable TopicListener listener)
      throws IOException {
    subscription.enter();
    try {
      return enter(since, from, listener);
    } catch (Throwable e) {
      subscription.leave();
      throw e;
    }
  }

  private ListenerSubscription enter(
      long since, @Nullable Long from, @Nullable TopicListener listener) {
    lock.lock();
    try {
      ListenerSubscription place = new ListenerSubscription(name, created++, listener);
      if (since > last && keep > 0) {
        place.awaits(since);
        askSoon();
      } else if (since < 0 || since > last) {
        List<TopicEntry> recent = from == null ? List.of() : memory.receivedSince(from);
        if (keep > 0 && recent.isEmpty()) {
          place.give(List.of(TopicEntry.position(last)));
        }
        place.give(recent);
      } else {
        place.give(memory.keptAfter(since));
      }
      places.add(place);
      return place;
    } finally {
      lock.unlock();
    }
  }

  /** Connects the client of a listener. It gets the kept messages, then all later ones. */
  public void open(ListenerSubscription place, TopicListener client) {
    boolean tooSlow;
    lock.lock();
    try {
      tooSlow = place.open(client);
    } finally {
      lock.unlock();
    }
    if (tooSlow) {
      client.drop();
    }
  }

  /**
   * Waits for slow listeners if the thread may block, and disconnects those that are too slow.
   *
   * @param receives returns true for the listeners to wait for
   */
  public void awaitRoom(Predicate<? super TopicListener> receives) {
    long end = OfferQueue.deadline();
    for (ListenerSubscription place : places) {
      TopicListener listener = place.listener();
      if (listener != null && receives.test(listener) && !listener.awaitRoom(end)) {
        leave(place);
        listener.drop();
      }
    }
  }

  /** Closes the subscription; listeners receive nothing until the next listener is added. */
  public void end() throws IOException {
    subscription.close();
  }

  /** Returns true while this process listens to the bus. */
  public boolean isSubscribed() {
    return subscription.isOpen();
  }

  private AutoCloseable open(BooleanSupplier ended) throws IOException {
    AtomicBoolean begun = new AtomicBoolean();
    AutoCloseable open = bus.subscribe(name, last, message -> take(message, begun.get(), ended));
    begun.set(true);
    return open;
  }

  /**
   * Handles a message from the bus.
   *
   * @param live false if it was sent before the subscription was open
   * @param ended returns true if the subscription was closed in the meantime
   */
  private void take(TopicBus.Message message, boolean live, BooleanSupplier ended) {
    long now = System.nanoTime();
    long received = live ? now : TopicMemory.sent(message.id(), bus.micros(), now);
    TopicEntry entry = new TopicEntry(message, received);
    lock.lock();
    try {
      if (ended.getAsBoolean()) {
        return;
      }
      last = entry.id();
      memory.add(entry, now);
      for (ListenerSubscription place : places) {
        if (!place.isLeft() && !place.take(entry, most)) {
          drop(place);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void drop(ListenerSubscription place) {
    leave(place);
    TopicListener listener = place.drop();
    if (listener != null) {
      SocketThreads.execute(listener::drop);
    }
  }

  /** Schedules a query to the bus about ids that have not arrived here, unless one is scheduled. */
  private void askSoon() {
    if (!asking) {
      asking = true;
      long wait = Math.max(0, nextQuestion - System.nanoTime());
      try {
        Runnable ignored = timer.after(Duration.ofNanos(wait), this::ask);
      } catch (Throwable e) {
        asking = false;
        throw e;
      }
    }
  }

  private void ask() {
    long newest = -1;
    try {
      newest = newestOnBus();
    } catch (Throwable e) {
      failures.note(e); // the query is repeated
    }
    lock.lock();
    try {
      asking = false;
      nextQuestion = System.nanoTime() + BETWEEN_QUESTIONS.toNanos();
      boolean again = false;
      for (ListenerSubscription place : places) {
        if (!place.isLeft() && place.isInQuestion()) {
          if (newest < 0) {
            again = true;
          } else {
            place.answer(newest, memory.keptAfter(0));
          }
        }
      }
      if (again) {
        askSoon();
      }
    } finally {
      lock.unlock();
    }
  }

  private long newestOnBus() throws IOException {
    AtomicLong newest = new AtomicLong(last);
    TopicSubscription.unsubscribe(
        bus.subscribe(name, newest.get(), message -> newest.set(message.id())));
    return newest.get();
  }

  /** Removes a listener. Does nothing if it has left. */
  public void leave(ListenerSubscription place) {
    if (place.leave()) {
      places.remove(place);
      subscription.leave();
    }
  }
}
