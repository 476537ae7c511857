package dev.percolate.jdbc;

import dev.percolate.core.store.RateLimitStore;
import dev.percolate.http.Hash;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Counts requests with the generic cell rate algorithm. Stores one number per client: the time when
 * its bucket is full, in microseconds by the clock of the database. The change of that row checks
 * the limit, so simultaneous requests never exceed it.
 */
final class JdbcRateLimits implements RateLimitStore {

  private static final String NOW =
      "cast(extract(epoch from current_timestamp) * 1000000 as double precision)";
  private static final String NUMBER = "cast(? as double precision)";

  /** The time when the bucket is full after the permits are taken. Parameters: window, cost. */
  private static final String NEXT =
      "least(greatest(r.full_at, " + NOW + "), " + NOW + " + " + NUMBER + ") + " + NUMBER;

  /** The change of a row. Parameters: window, cost, window, cost, the most that is allowed. */
  private static final String CHANGE =
      " set full_at = " + NEXT + " where " + NEXT + " - " + NOW + " <= " + NUMBER;

  private static final String INSERT = "insert into percolate_rates as r (name, full_at) values ";
  private static final String UPSERT =
      INSERT + "(?, " + NOW + " + " + NUMBER + ") on conflict (name) do update" + CHANGE;
  private static final String UPDATE =
      "update percolate_rates r" + CHANGE + " and r.name = cast(? as varchar)";
  private static final String ADD =
      "insert into percolate_rates (name, full_at) values (?, " + NOW + ")";
  private static final String COLUMNS = "full_at, " + NOW;
  private static final String FIND = "select " + COLUMNS + " from percolate_rates where name = ?";

  /** The maximum number of attempts while other servers add and remove the row. */
  private static final int MOST_ATTEMPTS = 10;

  private final Database database;
  private final String limit;

  /** The bucket of a client: when it is full, and the time of the database. */
  private record Bucket(double fullAt, double now) {}

  JdbcRateLimits(Database database, String limit) {
    this.database = database;
    this.limit = limit;
  }

  @Override
  public Result take(String client, int permits, int most, long windowMillis) throws IOException {
    Rate rate = new Rate(windowMillis * 1000.0, most, permits);
    String name = Hash.sha256(limit + "\n" + client);
    return database.ask(connection -> take(connection, name, rate));
  }

  private Result take(Connection connection, String name, Rate rate) throws SQLException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      Bucket taken = change(connection, name, rate);
      if (taken != null) {
        return rate.result(true, taken);
      }
      Bucket bucket = read(connection, FIND, name);
      if (bucket != null) {
        return rate.result(false, bucket);
      }
      boolean ignored = database.statements().insertOnce(connection, ADD, name);
    }
    throw new SQLException("the row of a rate limit was removed " + MOST_ATTEMPTS + " times");
  }

  /** Takes permits; returns null if there are not enough, or if the row does not exist. */
  private @Nullable Bucket change(Connection connection, String name, Rate rate)
      throws SQLException {
    double window = rate.window();
    double cost = rate.cost();
    double allowed = window + rate.slack();
    if (Statements.isPostgres(connection)) {
      String sql = Statements.returning(connection, COLUMNS, UPSERT);
      return read(connection, sql, name, cost, window, cost, window, cost, allowed);
    }
    String sql = Statements.returning(connection, COLUMNS, UPDATE);
    return read(connection, sql, window, cost, window, cost, allowed, name);
  }

  private @Nullable Bucket read(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement select = database.statements().prepare(connection, sql, values);
        ResultSet row = select.executeQuery()) {
      return row.next() ? new Bucket(row.getDouble(1), row.getDouble(2)) : null;
    }
  }

  /**
   * A request for permits. Times are in microseconds.
   *
   * @param window the time in which an empty bucket fills
   * @param most the capacity of the bucket
   * @param permits the number of permits to take
   */
  private record Rate(double window, int most, int permits) {

    /** The time in which one permit is added. */
    double each() {
      return window / most;
    }

    double cost() {
      return permits * each();
    }

    /** The rounding error that is tolerated. */
    double slack() {
      return 1 + each() / 1000;
    }

    Result result(boolean allowed, Bucket bucket) {
      double used = Math.min(Math.max(bucket.fullAt() - bucket.now(), 0), window);
      double left = Math.max(0, Math.floor((window - used + slack()) / each()));
      double wait = Math.max(0, used + cost() - window - slack());
      return new Result(
          allowed, (int) left, (long) Math.ceil(wait / 1000), (long) Math.ceil(used / 1000));
    }
  }
}
