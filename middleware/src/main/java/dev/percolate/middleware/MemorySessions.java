package dev.percolate.middleware;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions in the memory of this process, a bounded number for a bounded time.
 *
 * <p>They are gone when the process ends, and other processes do not see them. Where there are too
 * many, those that were not used for the longest time go first.
 */
public final class MemorySessions implements SessionStore {

  private static final int DEFAULT_CAPACITY = 100_000;
  private static final Duration DEFAULT_IDLE = Duration.ofDays(1);

  private final int capacity;
  private final Duration idle;
  private final InstantSource clock;
  private final Map<String, Kept> sessions = new LinkedHashMap<>(16, 0.75f, true);

  /** A session, and when it ends at the latest. */
  private record Kept(Stored session, Instant end) {}

  MemorySessions(int capacity, Duration idle, InstantSource clock) {
    this.capacity = capacity;
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
  public synchronized @Nullable Stored load(String id) {
    Kept kept = living(id);
    return kept == null ? null : kept.session();
  }

  @Override
  public synchronized void create(String id, Stored session) {
    sessions.put(id, kept(session));
    Instant now = clock.instant();
    Iterator<Kept> eldest = sessions.values().iterator();
    while (eldest.hasNext() && (eldest.next().end().isBefore(now) || sessions.size() > capacity)) {
      eldest.remove();
    }
  }

  @Override
  public synchronized boolean replace(String id, Stored session) {
    return change(id, before -> session);
  }

  @Override
  public synchronized boolean change(String id, UnaryOperator<Stored> change) {
    Kept kept = living(id);
    if (kept != null) {
      sessions.put(id, kept(change.apply(kept.session())));
    }
    return kept != null;
  }

  @Override
  public synchronized boolean touch(String id, @Nullable Instant expires) {
    return change(id, this::prolonged);
  }

  @Override
  public synchronized void remove(String id) {
    sessions.remove(id);
  }

  /** Gives how many sessions are kept, expired ones among them. */
  public synchronized int size() {
    return sessions.size();
  }

  private @Nullable Kept living(String id) {
    Kept kept = sessions.get(id);
    if (kept != null && !kept.end().isAfter(clock.instant())) {
      sessions.remove(id);
      return null;
    }
    return kept;
  }

  private Stored prolonged(Stored session) {
    Long maxAge = session.maxAge();
    return maxAge == null
        ? session
        : new Stored(session.json(), clock.instant().plusMillis(maxAge), maxAge, session.cookie());
  }

  private Kept kept(Stored session) {
    Instant end = session.expires();
    return new Kept(session, end == null ? clock.instant().plus(idle) : end);
  }
}
