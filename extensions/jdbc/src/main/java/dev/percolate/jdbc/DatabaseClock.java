package dev.percolate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the database, which all servers share. Rows contain times of this clock, in
 * milliseconds. So sessions expire at the right time even if the clocks of servers are wrong.
 *
 * <p>A difference of less than a second is ignored: it is not worth the inexact measurement.
 */
final class DatabaseClock {

  private static final long TOLERANCE_MILLIS = 1000;

  private final InstantSource local;
  private volatile @Nullable Reading reading;

  /** The time of the database at a {@link System#nanoTime}. */
  private record Reading(long millis, long nanos) {}

  /**
   * Creates the clock.
   *
   * @param local the clock of this server
   */
  DatabaseClock(InstantSource local) {
    this.local = local;
  }

  /** Returns true if the time of the database is known. */
  boolean isRead() {
    return reading != null;
  }

  /** Reads the time of the database. */
  void read(Connection connection, Statements statements) throws SQLException {
    long before = System.nanoTime();
    try (PreparedStatement select = statements.prepare(connection, "select current_timestamp");
        ResultSet row = select.executeQuery()) {
      if (row.next()) {
        long middle = before + (System.nanoTime() - before) / 2;
        reading = new Reading(row.getTimestamp(1).toInstant().toEpochMilli(), middle);
      }
    }
  }

  /** Returns the current time of this server. */
  Instant localNow() {
    return local.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns the current time of the database. */
  long now() {
    return local.millis() + ahead();
  }

  /** Converts a time of this server. */
  long toDatabase(Instant time) {
    return time.toEpochMilli() + ahead();
  }

  /** Converts a time of the database. */
  Instant toLocal(long millis) {
    return Instant.ofEpochMilli(millis - ahead());
  }

  /** Returns how far the database is ahead of this server, in milliseconds. */
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
