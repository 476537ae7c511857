package dev.percolate.middleware;

import dev.percolate.core.store.TopicBus;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Those in this process who listen to one topic. The bus is asked once for all of them; who comes
 * back gets what it has missed from what is kept here.
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
  private final List<Place> places = new ArrayList<>();
  private long last;

  /** A listener, and the id behind which it begins if that has not come here yet; else 0. */
  private record Place(Listener listener, long from) {}

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
    lock.lock();
    try {
      long from = known < 0 ? last : known;
      for (TopicEntry entry : kept) {
        if (entry.id() > from) {
          listener.offer(entry, Long.MAX_VALUE); // what is kept is bounded
        }
      }
      places.add(new Place(listener, from > last ? from : 0));
    } finally {
      lock.unlock();
    }
    return () -> remove(listener);
  }

  /** Begins to listen to the bus, unless that has been done. */
  void begin() throws IOException {
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
    for (Listener listener : all()) {
      if (!listener.awaitRoom(end)) {
        remove(listener);
        listener.drop();
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
      lock.unlock();
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
        if (entry.id() > place.from && !place.listener.offer(entry, most)) {
          places.remove(place);
          place.listener.drop();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private List<Listener> all() {
    lock.lock();
    try {
      return places.stream().map(Place::listener).toList();
    } finally {
      lock.unlock();
    }
  }

  private void remove(Listener listener) {
    lock.lock();
    try {
      places.removeIf(place -> place.listener == listener);
    } finally {
      lock.unlock();
    }
  }
}
