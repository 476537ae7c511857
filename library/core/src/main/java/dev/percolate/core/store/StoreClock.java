package dev.percolate.core.store;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a store, which all servers share. A store whose times come from this clock works
 * even if the clocks of servers are wrong. It measures the difference when {@link #isDue} returns
 * true.
 *
 * <p>A difference of less than a second is ignored, since the measurement is inexact.
 */
public final class StoreClock {

  private static final long TOLERANCE_MILLIS = 1000;
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final InstantSource local;
  private final AtomicLong due = new AtomicLong(System.nanoTime());
  private volatile @Nullable Reading reading;

  /** The time of the store, in milliseconds since 1970, at a {@link System#nanoTime}. */
  private record Reading(long millis, long nanos) {}

  /**
   * Creates a clock that is not measured yet.
   *
   * @param local the clock of this server
   */
  public StoreClock(InstantSource local) {
    this.local = local;
  }

  /**
   * Returns true if the clock must be read now: always until the first {@link #set}, then for one
   * caller in ten seconds.
   */
  public boolean isDue() {
    long now = System.nanoTime();
    long next = due.get();
    boolean mine = now - next >= 0 && due.compareAndSet(next, now + INTERVAL_NANOS);
    return mine || reading == null;
  }

  /**
   * Sets the time of the store.
   *
   * @param millis the time of the store, in milliseconds since 1970
   * @param sent the {@link System#nanoTime} before the store was asked
   */
  public void set(long millis, long sent) {
    reading = new Reading(millis, sent + (System.nanoTime() - sent) / 2);
  }

  /** Returns the current time of this server, in milliseconds. */
  public Instant localNow() {
    return local.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns the current time of the store, in milliseconds since 1970. */
  public long now() {
    return toStore(local.instant());
  }

  /** Converts a time of this server to the clock of the store. */
  public long toStore(Instant time) {
    return time.toEpochMilli() + ahead();
  }

  /** Converts a time of the store to the clock of this server. */
  public Instant toLocal(long millis) {
    return Instant.ofEpochMilli(millis - ahead());
  }

  /** Returns how far the store is ahead of this server, in milliseconds. */
  private long ahead() {
    Reading last = reading;
    if (last == null) {
      return 0;
    }
    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - last.nanos());
    long ahead = last.millis() + passed - local.millis();
    return Math.abs(ahead) < TOLERANCE_MILLIS ? 0 : ahead;
  }
}
