package dev.percolate.middleware;

import dev.percolate.core.store.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions in the memory of this process, a limited number for a limited time.
 *
 * <p>Sessions are lost when the process ends, and other processes cannot read them. The number of
 * sessions is limited, but not the size of each session. If there are too many, sessions of
 * returning visitors are protected:
 *
 * <ul>
 *   <li>A session is <em>in use</em> after a second request has loaded it. Sessions in use have
 *       seven eighths of the capacity. New sessions never replace them.
 *   <li>All other sessions are <em>new</em>. They have the remaining capacity, at least one eighth.
 *       The least recently loaded one is removed first.
 *   <li>If the capacity for sessions in use is full, a new session replaces the least recently
 *       loaded one only if that was not loaded for an hour. The replaced session is new again.
 * </ul>
 *
 * <p>So a session that is loaded once an hour is kept until it expires, even if an attacker floods
 * the store with sessions and repeats their cookies. During such an attack, new visitors may lose
 * their sessions early. To prevent this, limit the requests of each client with {@link RateLimit}.
 */
public final class MemorySessions implements SessionStore {

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

  /** A session, the time of its last load, and its end. */
  private record Kept(Entry entry, Instant asked, Instant end) {}

  MemorySessions(int capacity, Duration idle, InstantSource clock) {
    this.capacity = capacity;
    this.placesInUse = capacity - Math.max(1, capacity / 8);
    this.idle = idle;
    this.clock = clock;
  }

  /**
   * Creates a store of at most 100,000 sessions. Sessions without an expiry time are removed after
   * one day without requests.
   */
  public static MemorySessions of() {
    return of(100_000, Duration.ofDays(1));
  }

  /**
   * Creates a store.
   *
   * @param capacity the maximum number of sessions
   * @param idle the time without requests after which sessions without an expiry time are removed
   * @return a new store
   * @throws IllegalArgumentException if one of them is not positive
   */
  public static MemorySessions of(int capacity, Duration idle) {
    if (capacity <= 0 || idle.isNegative() || idle.isZero()) {
      throw new IllegalArgumentException(
          "MemorySessions.of(" + capacity + ", " + idle + "): capacity and idle must be positive");
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
  public synchronized Entry create(String id, SessionData session) {
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
  public synchronized ReplaceResult replace(String id, SessionData session, long version) {
    Kept kept = living(id);
    if (kept == null || kept.entry().version() != version) {
      return new ReplaceResult(false, kept == null ? null : kept.entry());
    }
    Kept changed = kept(session, ++versions);
    part(id).put(id, changed);
    return new ReplaceResult(true, changed.entry());
  }

  @Override
  public synchronized boolean touch(String id, SessionData session) {
    Kept kept = living(id);
    if (kept != null) {
      SessionData old = kept.entry().session();
      Long maxAge = old.maxAge();
      SessionData longer =
          maxAge == null ? old : old.withExpires(clock.instant().plusMillis(maxAge));
      part(id).put(id, kept(longer, kept.entry().version()));
    }
    return kept != null;
  }

  @Override
  public synchronized void remove(String id) {
    fresh.remove(id);
    inUse.remove(id);
  }

  /** Removes all sessions of an owner. Checks each stored session. */
  @Override
  public synchronized void removeAll(String owner) {
    fresh.values().removeIf(kept -> isOwned(kept, owner));
    inUse.values().removeIf(kept -> isOwned(kept, owner));
  }

  /** Returns all sessions of an owner. Checks each stored session. */
  @Override
  public synchronized List<OwnedSession> list(String owner) {
    return Stream.concat(fresh.entrySet().stream(), inUse.entrySet().stream())
        .filter(one -> isOwned(one.getValue(), owner) && isAlive(one.getValue()))
        .map(one -> owned(one.getKey(), one.getValue().entry()))
        .sorted(Comparator.comparing(OwnedSession::lastUsed).reversed())
        .toList();
  }

  /** Removes one session of an owner. Checks each stored session. */
  @Override
  public synchronized boolean removeOwned(String owner, String handle) {
    return removeOwned(fresh, owner, handle) || removeOwned(inUse, owner, handle);
  }

  private boolean removeOwned(Map<String, Kept> sessions, String owner, String handle) {
    return sessions
        .entrySet()
        .removeIf(
            one ->
                isOwned(one.getValue(), owner)
                    && isAlive(one.getValue())
                    && SessionStore.handle(one.getKey()).equals(handle));
  }

  @Override
  public Duration idleTimeout() {
    return idle;
  }

  @Override
  public boolean isBlocking() {
    return false;
  }

  /** Returns the number of stored sessions, including expired ones. */
  public synchronized int size() {
    return fresh.size() + inUse.size();
  }

  private @Nullable Kept living(String id) {
    Kept kept = part(id).get(id);
    if (kept != null && !isAlive(kept)) {
      remove(id);
      return null;
    }
    return kept;
  }

  private boolean isAlive(Kept kept) {
    return kept.end().isAfter(clock.instant());
  }

  private static boolean isOwned(Kept kept, String owner) {
    Owner known = kept.entry().session().owner();
    return known != null && known.name().equals(owner);
  }

  private static OwnedSession owned(String id, Entry entry) {
    Owner owner = Objects.requireNonNull(entry.session().owner());
    return new OwnedSession(
        SessionStore.handle(id), owner.since(), entry.touched(), owner.userAgent());
  }

  private Map<String, Kept> part(String id) {
    return inUse.containsKey(id) ? inUse : fresh;
  }

  /**
   * Returns true if one more session can be in use. If needed, removes expired sessions in use, or
   * makes a forgotten one new again.
   */
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

  private Kept kept(SessionData session, long version) {
    Instant now = clock.instant();
    Instant end = session.expires();
    return new Kept(new Entry(session, version, now), now, end == null ? now.plus(idle) : end);
  }
}
