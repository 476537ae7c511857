package dev.percolate.jdbc;

import dev.percolate.core.store.SessionStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
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

  private static final String DELETE = "delete from percolate_sessions where id = ?";

  private final Database database;
  private final Statements statements;
  private final DatabaseClock clock;
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
          int ignored = statements.update(connection, DELETE, key);
          String sql =
              "insert into percolate_sessions (json, ends_at, max_age, cookie, owner, owner_since,"
                  + " user_agent, version, touched_at, gone_at, id)"
                  + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
          try (PreparedStatement insert = statements.prepare(connection, sql)) {
            set(insert, entry);
            insert.setString(11, key);
            return insert.executeUpdate();
          }
        });
    return entry;
  }

  @Override
  public ReplaceResult replace(String id, SessionData session, long version) throws IOException {
    String key = SessionStore.handle(id);
    Entry entry = new Entry(session, newVersion(), clock.localNow());
    return database.ask(
        connection -> {
          String sql =
              "update percolate_sessions set json = ?, ends_at = ?, max_age = ?, cookie = ?,"
                  + " owner = ?, owner_since = ?, user_agent = ?, version = ?, touched_at = ?,"
                  + " gone_at = ?"
                  + " where id = ? and version = ? and gone_at > ?";
          try (PreparedStatement update = statements.prepare(connection, sql)) {
            set(update, entry);
            update.setString(11, key);
            update.setLong(12, version);
            update.setLong(13, clock.now());
            return update.executeUpdate() > 0
                ? new ReplaceResult(true, entry)
                : new ReplaceResult(false, load(connection, key));
          }
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
    try {
      Entry ignored = create(ENDED + id, new SessionData("{}", until.plus(ENDED_RETENTION), null));
    } catch (IOException e) {
      if (endedAt(id) == null) { // another login may have inserted the same row
        throw e;
      }
    }
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

  private void set(PreparedStatement statement, Entry entry) throws SQLException {
    SessionData session = entry.session();
    Instant end = session.expires();
    Long endsAt = end == null ? null : clock.toDatabase(end);
    long touched = clock.toDatabase(entry.touched());
    statement.setString(1, session.json());
    set(statement, 2, endsAt);
    set(statement, 3, session.maxAge());
    statement.setString(4, session.cookie());
    Owner owner = session.owner();
    statement.setString(5, owner == null ? null : owner.name());
    set(statement, 6, owner == null ? null : clock.toDatabase(owner.since()));
    statement.setString(7, owner == null ? null : owner.userAgent());
    statement.setLong(8, entry.version());
    statement.setLong(9, touched);
    statement.setLong(10, endsAt == null ? touched + idle.toMillis() : endsAt);
  }

  private static void set(PreparedStatement statement, int index, @Nullable Long number)
      throws SQLException {
    if (number == null) {
      statement.setNull(index, Types.BIGINT);
    } else {
      statement.setLong(index, number);
    }
  }

  private static long newVersion() {
    return ThreadLocalRandom.current().nextLong();
  }
}
