package dev.percolate.middleware;

import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.Callbacks;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Those in this process who listen to one topic. The bus is asked once for all of them; who comes
 * back gets what it has missed from what is kept here.
 *
 * <p>Who leaves never waits, since its thread may have what those wait for who send: its place is
 * marked, and given up by whoever has the lock.
 */
final class TopicListeners {

  private final TopicBus bus;
  private final String name;
  private final int keep;
  private final long most;
  private final ReentrantLock beginning = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by beginning.
  private @Nullable AutoCloseable subscription;

  // Guarded by lock.
  private final Deque<TopicEntry> kept = new ArrayDeque<>();
  private final Set<Place> places = new LinkedHashSet<>();
  private long last;

  private final Queue<Place> left = new ConcurrentLinkedQueue<>();

  /** Where somebody listens, until it is left. */
  private static final class Place {

    final Listener listener;

    /** The id behind which it begins if that has not come here yet; else 0. */
    final long from;

    volatile boolean left;

    Place(Listener listener, long from) {
      this.listener = listener;
      this.from = from;
    }
  }

  /** One who listens. */
  interface Listener {

    /**
     * Passes a message on without waiting.
     *
     * @param most how many bytes may wait
     * @return false if more would
     */
    boolean offer(TopicEntry entry, long most);

    /** Waits for a slow client, where threads may wait; returns false if it takes too long. */
    boolean awaitRoom(long end);

    /** Ends, since it takes messages too slowly. */
    void drop();
  }

  TopicListeners(TopicBus bus, String name, int keep, long most) {
    this.most = most;
    this.bus = bus;
    this.name = name;
    this.keep = keep;
  }

  /**
   * Adds a listener.
   *
   * @param since the id behind which it begins; negative for what comes from now on. One greater
   *     than any that the bus knows is from before that has lost its memory: then all that is kept
   *     comes
   * @return takes it out
   * @throws IOException if the bus fails
   */
  Runnable add(long since, Listener listener) throws IOException {
    begin();
    long known = since > last() && !isKnownToBus(since) ? 0 : since;
    Place place;
    lock.lock();
    try {
      long from = known < 0 ? last : known;
      for (TopicEntry entry : kept) {
        if (entry.id() > from) {
          listener.offer(entry, Long.MAX_VALUE); // what is kept is bounded
        }
      }
      place = new Place(listener, from > last ? from : 0);
      places.add(place);
    } finally {
      unlock();
    }
    return () -> leave(place);
  }

  /** Begins to listen to the bus, unless that has been done. */
  private void begin() throws IOException {
    beginning.lock();
    try {
      if (subscription == null) {
        subscription = bus.subscribe(name, last(), this::take);
      }
    } finally {
      beginning.unlock();
    }
  }

  /** Waits, where threads may wait, for those that are slow, and drops those that are slower. */
  void awaitRoom() {
    long end = OfferQueue.deadline();
    for (Place place : all()) {
      if (!place.listener.awaitRoom(end)) {
        leave(place);
        place.listener.drop();
      }
    }
  }

  /** Listens to the bus no more. */
  void end() throws IOException {
    beginning.lock();
    try {
      AutoCloseable open = subscription;
      subscription = null;
      if (open != null) {
        end(open);
      }
    } finally {
      beginning.unlock();
    }
  }

  private void end(AutoCloseable open) throws IOException {
    try {
      open.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the topic " + name + " could not be left", e);
    }
  }

  /**
   * Asks the bus about an id that has not come here yet: who was here before may have seen it in
   * another process, which was a little faster.
   */
  private boolean isKnownToBus(long id) throws IOException {
    AtomicLong newest = new AtomicLong();
    end(bus.subscribe(name, last(), message -> newest.set(message.id())));
    return newest.get() >= id;
  }

  private long last() {
    lock.lock();
    try {
      return last;
    } finally {
      unlock();
    }
  }

  private void take(TopicBus.Message message) {
    TopicEntry entry = new TopicEntry(message);
    lock.lock();
    try {
      last = entry.id();
      kept.add(entry);
      while (kept.size() > keep) {
        kept.remove();
      }
      for (Place place : List.copyOf(places)) {
        if (!place.left && entry.id() > place.from && !takes(place.listener, entry)) {
          places.remove(place);
          SocketThreads.execute(place.listener::drop);
        }
      }
    } finally {
      unlock();
    }
  }

  /** Passes a message on; a listener that throws misses it, and the others do not. */
  private boolean takes(Listener listener, TopicEntry entry) {
    try {
      return listener.offer(entry, most);
    } catch (Throwable thrown) {
      Callbacks.failed("a subscriber of the topic " + name, thrown);
      return true;
    }
  }

  private List<Place> all() {
    lock.lock();
    try {
      return List.copyOf(places);
    } finally {
      unlock();
    }
  }

  private void leave(Place place) {
    place.left = true;
    left.add(place);
    giveUpPlaces();
  }

  private void unlock() {
    lock.unlock();
    giveUpPlaces();
  }

  /** Gives up the places that were left, unless somebody has the lock, who does so behind that. */
  private void giveUpPlaces() {
    while (!left.isEmpty() && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        for (Place place = left.poll(); place != null; place = left.poll()) {
          places.remove(place);
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
