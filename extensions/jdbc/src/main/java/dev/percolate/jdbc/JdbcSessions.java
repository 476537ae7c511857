package dev.percolate.jdbc;

import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.StoreClock;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions in a table, under the hashes of their ids. Times are those of the clock of the
 * database.
 */
final class JdbcSessions implements SessionStore {

  /** The id prefix of rows that record ended sessions; {@code ends_at} contains the time. */
  private static final String ENDED = "ended ";

  private static final int MOST_LISTED = 1000;

  private static final String COLUMNS =
      "json, ends_at, max_age, cookie, owner, owner_since, user_agent, version, touched_at";

  private static final String INSERT =
      "insert into percolate_sessions (json, ends_at, max_age, cookie, owner, owner_since,"
          + " user_agent, version, touched_at, gone_at, id)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  private static final String UPDATE =
      "update percolate_sessions set json = ?, ends_at = ?, max_age = ?, cookie = ?, owner = ?,"
          + " owner_since = ?, user_agent = ?, version = ?, touched_at = ?, gone_at = ?"
          + " where id = ?";

  private static final String REPLACE = UPDATE + " and version = ? and gone_at > ?";

  private static final String DELETE = "delete from percolate_sessions where id = ?";

  private final Database database;
  private final Statements statements;
  private final StoreClock clock;
  private final Duration idle;

  JdbcSessions(Database database, Duration idle) {
    this.database = database;
    this.statements = database.statements();
    this.clock = database.clock();
    this.idle = idle;
  }

  @Override
  public @Nullable Entry load(String id) throws IOException {
    String key = SessionStore.handle(id);
    return database.ask(connection -> Optional.ofNullable(load(connection, key))).orElse(null);
  }

  private @Nullable Entry load(Connection connection, String key) throws SQLException {
    String sql = "select " + COLUMNS + " from percolate_sessions where id = ? and gone_at > ?";
    try (PreparedStatement select = statements.prepare(connection, sql, key, clock.now());
        ResultSet row = select.executeQuery()) {
      return row.next() ? entry(row) : null;
    }
  }

  private Entry entry(ResultSet row) throws SQLException {
    Long end = number(row, 2);
    SessionData session =
        new SessionData(
            row.getString(1),
            end == null ? null : clock.toLocal(end),
            number(row, 3),
            row.getString(4),
            owner(row));
    return new Entry(session, row.getLong(8), clock.toLocal(row.getLong(9)));
  }

  private @Nullable Owner owner(ResultSet row) throws SQLException {
    String name = row.getString(5);
    return name == null ? null : new Owner(name, clock.toLocal(row.getLong(6)), row.getString(7));
  }

  private static @Nullable Long number(ResultSet row, int column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : number;
  }

  @Override
  public Entry create(String id, SessionData session) throws IOException {
    String key = SessionStore.handle(id);
    Entry entry = new Entry(session, newVersion(), clock.localNow());
    database.ask(
        connection -> {
          @Nullable Object[] row = values(entry, key); // needs the clock of the database
          while (!statements.insertOnce(connection, INSERT, row)
              && statements.update(connection, UPDATE, row) == 0) {
            // another request has removed the row in between
          }
          return true;
        });
    return entry;
  }

  @Override
  public ReplaceResult replace(String id, SessionData session, long version) throws IOException {
    String key = SessionStore.handle(id);
    Entry entry = new Entry(session, newVersion(), clock.localNow());
    return database.ask(
        connection -> {
          @Nullable Object[] values = values(entry, key, version, clock.now());
          return statements.update(connection, REPLACE, values) > 0
              ? new ReplaceResult(true, entry)
              : new ReplaceResult(false, load(connection, key));
        });
  }

  @Override
  public boolean touch(String id, SessionData session) throws IOException {
    String key = SessionStore.handle(id);
    String sql =
        "update percolate_sessions set touched_at = ?,"
            + " ends_at = case when max_age is null then ends_at else ? + max_age end,"
            + " gone_at = case when max_age is not null then ? + max_age"
            + " when ends_at is null then ? else gone_at end"
            + " where id = ? and gone_at > ?";
    return database.ask(
        connection -> {
          long now = clock.now();
          long end = now + idle.toMillis();
          return statements.update(connection, sql, now, now, now, end, key, now) > 0;
        });
  }

  @Override
  public void remove(String id) throws IOException {
    String key = SessionStore.handle(id);
    database.ask(connection -> statements.update(connection, DELETE, key));
  }

  @Override
  public void end(String id, Instant until) throws IOException {
    remove(id);
    Entry ignored = create(ENDED + id, new SessionData("{}", until.plus(ENDED_RETENTION), null));
  }

  @Override
  public @Nullable Instant endedAt(String id) throws IOException {
    Entry entry = load(ENDED + id);
    Instant gone = entry == null ? null : entry.session().expires();
    return gone == null ? null : gone.minus(ENDED_RETENTION);
  }

  @Override
  public void removeAll(String owner) throws IOException {
    String sql = "delete from percolate_sessions where owner = ?";
    database.ask(connection -> statements.update(connection, sql, owner));
  }

  @Override
  public List<OwnedSession> list(String owner) throws IOException {
    String sql =
        "select id, owner_since, touched_at, user_agent from percolate_sessions"
            + " where owner = ? and gone_at > ? order by touched_at desc limit "
            + MOST_LISTED;
    return database.ask(
        connection -> {
          try (PreparedStatement select = statements.prepare(connection, sql, owner, clock.now());
              ResultSet row = select.executeQuery()) {
            List<OwnedSession> all = new ArrayList<>();
            while (row.next()) {
              Instant created = clock.toLocal(row.getLong(2));
              Instant used = clock.toLocal(row.getLong(3));
              all.add(new OwnedSession(row.getString(1), created, used, row.getString(4)));
            }
            return all;
          }
        });
  }

  @Override
  public boolean removeOwned(String owner, String handle) throws IOException {
    String sql = "delete from percolate_sessions where id = ? and owner = ? and gone_at > ?";
    return database.ask(
        connection -> statements.update(connection, sql, handle, owner, clock.now()) > 0);
  }

  @Override
  public Duration idleTimeout() {
    return idle;
  }

  /** Returns the values of a row in the order of {@link #INSERT}, the last ones as given. */
  private @Nullable Object[] values(Entry entry, Object... last) {
    SessionData session = entry.session();
    Instant end = session.expires();
    Long endsAt = end == null ? null : clock.toStore(end);
    long touched = clock.toStore(entry.touched());
    Owner owner = session.owner();
    List<@Nullable Object> values = new ArrayList<>();
    values.add(session.json());
    values.add(endsAt);
    values.add(session.maxAge());
    values.add(session.cookie());
    values.add(owner == null ? null : owner.name());
    values.add(owner == null ? null : clock.toStore(owner.since()));
    values.add(owner == null ? null : owner.userAgent());
    values.add(entry.version());
    values.add(touched);
    values.add(endsAt == null ? touched + idle.toMillis() : endsAt);
    values.addAll(List.of(last));
    return values.toArray();
  }

  private static long newVersion() {
    return ThreadLocalRandom.current().nextLong();
  }
}
