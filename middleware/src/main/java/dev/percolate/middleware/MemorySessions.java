package dev.percolate.middleware;

import dev.percolate.core.store.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions in the memory of this process, a bounded number for a bounded time.
 *
 * <p>They are gone when the process ends, and other processes do not see them. What is bounded is
 * their number; how much each holds is up to the handlers. Where there are too many, those of
 * visitors who have come back are kept apart from the rest:
 *
 * <ul>
 *   <li>A session is <em>in use</em> once a second request has asked for it. Those in use have
 *       seven eighths of the places; nobody who makes new sessions, however many, takes them away.
 *   <li>All others are <em>new</em>. They have the places that are left, an eighth at least, and
 *       the one not asked for for the longest time goes first.
 *   <li>Where all places of those in use are taken, a new one takes the place of the one that
 *       nobody has asked for for the longest time, if that is an hour or more; else it stays new.
 * </ul>
 *
 * <p>So a session that is asked for once an hour stays until it ends, even while somebody floods
 * the store with sessions and sends each of their cookies again. What such a flood can do, as long
 * as it lasts, is to make new visitors lose theirs early. Against that, bound what one client may
 * begin: {@link RateLimit}.
 */
public final class MemorySessions implements SessionStore {

  private static final int DEFAULT_CAPACITY = 100_000;
  private static final Duration DEFAULT_IDLE = Duration.ofDays(1);
  private static final Duration FORGOTTEN = Duration.ofHours(1);
  private static final Duration SWEEP = Duration.ofMinutes(1);

  private final int capacity;
  private final int placesInUse;
  private final Duration idle;
  private final InstantSource clock;
  private final Map<String, Kept> fresh = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, Kept> inUse = new LinkedHashMap<>(16, 0.75f, true);
  private Instant nextSweep = Instant.MIN;
  private long versions;

  /** A session, when it was asked for last, and when it ends at the latest. */
  private record Kept(Entry entry, Instant asked, Instant end) {}

  MemorySessions(int capacity, Duration idle, InstantSource clock) {
    this.capacity = capacity;
    this.placesInUse = capacity - Math.max(1, capacity / 8);
    this.idle = idle;
    this.clock = clock;
  }

  /** Stores 100000 sessions at most; those without an end of their own for a day without use. */
  public static MemorySessions of() {
    return of(DEFAULT_CAPACITY, DEFAULT_IDLE);
  }

  /**
   * Stores sessions.
   *
   * @param capacity how many at most
   * @param idle how long those without an end of their own are kept without use
   * @return a new store
   * @throws IllegalArgumentException if one of them is not positive
   */
  public static MemorySessions of(int capacity, Duration idle) {
    if (capacity <= 0 || idle.isNegative() || idle.isZero()) {
      throw new IllegalArgumentException(
          "MemorySessions.of(" + capacity + ", " + idle + "): must be positive");
    }
    return new MemorySessions(capacity, idle, InstantSource.system());
  }

  @Override
  public synchronized @Nullable Entry load(String id) {
    Kept kept = living(id);
    if (kept == null) {
      return null;
    }
    Kept asked = new Kept(kept.entry(), clock.instant(), kept.end());
    if (inUse.containsKey(id) || !hasPlaceInUse()) {
      part(id).put(id, asked);
    } else {
      fresh.remove(id);
      inUse.put(id, asked);
    }
    return kept.entry();
  }

  @Override
  public synchronized Entry create(String id, Stored session) {
    remove(id);
    Kept created = kept(session, ++versions);
    fresh.put(id, created);
    Instant now = clock.instant();
    removeExpired(inUse, now);
    removeExpired(fresh, now);
    Iterator<Kept> eldest = fresh.values().iterator();
    while (size() > capacity) {
      eldest.next();
      eldest.remove();
    }
    return created.entry();
  }

  @Override
  public synchronized Replaced replace(String id, Stored session, long version) {
    Kept kept = living(id);
    if (kept == null || kept.entry().version() != version) {
      return new Replaced(false, kept == null ? null : kept.entry());
    }
    Kept changed = kept(session, ++versions);
    part(id).put(id, changed);
    return new Replaced(true, changed.entry());
  }

  @Override
  public synchronized boolean touch(String id, Stored session) {
    Kept kept = living(id);
    if (kept != null) {
      Entry entry = kept.entry();
      part(id).put(id, kept(prolonged(entry.session()), entry.version()));
    }
    return kept != null;
  }

  @Override
  public synchronized void remove(String id) {
    fresh.remove(id);
    inUse.remove(id);
  }

  /** Looks at each session that is kept. */
  @Override
  public synchronized void removeAll(String owner) {
    fresh.values().removeIf(kept -> owner.equals(kept.entry().session().owner()));
    inUse.values().removeIf(kept -> owner.equals(kept.entry().session().owner()));
  }

  @Override
  public Duration idle() {
    return idle;
  }

  @Override
  public boolean waits() {
    return false;
  }

  /** Returns how many sessions are kept, expired ones among them. */
  public synchronized int size() {
    return fresh.size() + inUse.size();
  }

  private @Nullable Kept living(String id) {
    Kept kept = part(id).get(id);
    if (kept != null && !kept.end().isAfter(clock.instant())) {
      remove(id);
      return null;
    }
    return kept;
  }

  private Map<String, Kept> part(String id) {
    return inUse.containsKey(id) ? inUse : fresh;
  }

  /** Makes room among those in use, if there is one that has ended or is forgotten. */
  private boolean hasPlaceInUse() {
    Instant now = clock.instant();
    if (inUse.size() >= placesInUse && !now.isBefore(nextSweep)) {
      inUse.values().removeIf(kept -> !kept.end().isAfter(now));
      nextSweep = now.plus(SWEEP);
    }
    if (inUse.size() >= placesInUse && !inUse.isEmpty()) {
      Map.Entry<String, Kept> eldest = inUse.entrySet().iterator().next();
      if (!eldest.getValue().asked().plus(FORGOTTEN).isAfter(now)) {
        inUse.remove(eldest.getKey());
        fresh.put(eldest.getKey(), eldest.getValue());
      }
    }
    return inUse.size() < placesInUse;
  }

  private static void removeExpired(Map<String, Kept> sessions, Instant now) {
    Iterator<Kept> eldest = sessions.values().iterator();
    while (eldest.hasNext() && !eldest.next().end().isAfter(now)) {
      eldest.remove();
    }
  }

  private Stored prolonged(Stored session) {
    Long maxAge = session.maxAge();
    return maxAge == null ? session : session.until(clock.instant().plusMillis(maxAge));
  }

  private Kept kept(Stored session, long version) {
    Instant now = clock.instant();
    Instant end = session.expires();
    return new Kept(new Entry(session, version, now), now, end == null ? now.plus(idle) : end);
  }
}
