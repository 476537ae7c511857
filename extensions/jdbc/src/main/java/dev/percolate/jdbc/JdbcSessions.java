package dev.percolate.jdbc;

import dev.percolate.core.store.SessionStore;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores sessions in a database table that several servers can share.
 *
 * <pre>{@code
 * JdbcSessions store = JdbcSessions.of(dataSource);
 * store.createTable();
 * app.use(Sessions.of(secret).store(store));
 * }</pre>
 *
 * <p>The table is {@code percolate_sessions}, see {@link #TABLE}. {@link #createTable} creates it
 * if it does not exist. It stores the SHA-256 hash of each session id, not the id. Expired sessions
 * are deleted once a minute, when a session is stored. Error messages contain the SQL state and
 * error code, but no values.
 *
 * <p>A request waits at most 1.5 s for a connection and its statements, or 3 s until the database
 * has responded once. Each statement has a timeout of 1 s. After five failures in a row, all
 * requests fail at once, and the database is checked in the background every 200 ms.
 *
 * <p>Statements run on a separate thread, so a data source does not see the thread-local values of
 * the request. Set the connection timeout of a pool such as HikariCP to one or two seconds, so that
 * its threads do not wait longer.
 */
public final class JdbcSessions implements SessionStore {

  /** The statement that creates the table, for H2, PostgreSQL and similar databases. */
  public static final String TABLE =
      """
      create table if not exists percolate_sessions (
        id varchar(43) primary key,
        version bigint not null,
        json text not null,
        cookie text,
        owner varchar(255),
        owner_since bigint,
        user_agent varchar(255),
        ends_at bigint,
        gone_at bigint not null,
        touched_at bigint not null,
        max_age bigint
      )
      """;

  /** The statements that create the indexes for expired sessions and for owners. */
  public static final String INDEXES =
      """
      create index if not exists percolate_sessions_gone on percolate_sessions (gone_at);
      create index if not exists percolate_sessions_owner on percolate_sessions (owner)
      """;

  /** The default time that a request waits. */
  static final Duration TIMEOUT = Duration.ofMillis(1500);

  private static final Duration SWEEP = Duration.ofMinutes(1);

  /** The id prefix of rows that record ended sessions; {@code ends_at} contains the time. */
  private static final String ENDED = "ended ";

  private static final int MOST_LISTED = 1000;

  private static final String COLUMNS =
      "json, ends_at, max_age, cookie, owner, owner_since, user_agent, version, touched_at";

  private final DataSource source;
  private final DatabaseCircuitBreaker database;
  private final Duration idle;
  private final int statementSeconds;
  private final AtomicLong nextSweep = new AtomicLong();

  private JdbcSessions(DataSource source, Duration idle, Duration timeout) {
    this.source = source;
    this.database =
        new DatabaseCircuitBreaker(source, timeout, connection -> load(connection, "") == null);
    this.idle = idle;
    this.statementSeconds = (int) Math.max(1, timeout.toSeconds());
  }

  /** Creates a session store. Sessions without an expiry expire after one day without use. */
  public static JdbcSessions of(DataSource source) {
    return of(source, DEFAULT_IDLE_TIMEOUT);
  }

  /**
   * Creates a session store.
   *
   * @param source the data source, usually a connection pool
   * @param idle the time without use after which sessions without an expiry expire
   * @throws IllegalArgumentException if {@code idle} is less than a millisecond
   */
  public static JdbcSessions of(DataSource source, Duration idle) {
    return of(source, idle, TIMEOUT);
  }

  /**
   * Creates a session store with a timeout.
   *
   * @param source the data source, usually a connection pool
   * @param idle the time without use after which sessions without an expiry expire
   * @param timeout the maximum time that a request waits. Default: 1.5 s
   * @throws IllegalArgumentException if a duration is less than a millisecond
   */
  public static JdbcSessions of(DataSource source, Duration idle, Duration timeout) {
    if (idle.toMillis() < 1 || timeout.toMillis() < 1) {
      throw new IllegalArgumentException(
          "idle and timeout must be at least 1 ms, were " + idle + " and " + timeout);
    }
    return new JdbcSessions(source, idle, timeout);
  }

  /**
   * Creates the table and its indexes if they do not exist. Several servers may call this at once.
   *
   * @throws SQLException if the database rejects a statement
   */
  public void createTable() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : (TABLE + ";" + INDEXES).split(";", -1)) {
        createOnce(connection, statement, sql);
      }
    }
  }

  /** Runs a statement, twice if it fails, since another server may run it at the same time. */
  private static void createOnce(Connection connection, Statement statement, String sql)
      throws SQLException {
    try {
      statement.execute(sql);
    } catch (SQLException first) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      statement.execute(sql);
    }
    DatabaseTask.commit(connection);
  }

  @Override
  public @Nullable Entry load(String id) throws IOException {
    String key = SessionStore.handle(id);
    return database.ask(connection -> Optional.ofNullable(load(connection, key))).orElse(null);
  }

  private @Nullable Entry load(Connection connection, String key) throws SQLException {
    String sql = "select " + COLUMNS + " from percolate_sessions where id = ? and gone_at > ?";
    try (PreparedStatement select = prepare(connection, sql)) {
      select.setString(1, key);
      select.setLong(2, System.currentTimeMillis());
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? entry(row) : null;
      }
    }
  }

  private static Entry entry(ResultSet row) throws SQLException {
    Long end = number(row, 2);
    SessionData session =
        new SessionData(
            row.getString(1),
            end == null ? null : Instant.ofEpochMilli(end),
            number(row, 3),
            row.getString(4),
            owner(row));
    return new Entry(session, row.getLong(8), Instant.ofEpochMilli(row.getLong(9)));
  }

  private static @Nullable Owner owner(ResultSet row) throws SQLException {
    String name = row.getString(5);
    return name == null
        ? null
        : new Owner(name, Instant.ofEpochMilli(row.getLong(6)), row.getString(7));
  }

  private static @Nullable Long number(ResultSet row, int column) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : number;
  }

  @Override
  public Entry create(String id, SessionData session) throws IOException {
    String key = SessionStore.handle(id);
    Entry entry = new Entry(session, newVersion(), now());
    database.ask(
        connection -> {
          sweep(connection);
          delete(connection, key);
          String sql =
              "insert into percolate_sessions (json, ends_at, max_age, cookie, owner, owner_since,"
                  + " user_agent, version, touched_at, gone_at, id)"
                  + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
          try (PreparedStatement insert = prepare(connection, sql)) {
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
    Entry entry = new Entry(session, newVersion(), now());
    return database.ask(
        connection -> {
          sweep(connection);
          String sql =
              "update percolate_sessions set json = ?, ends_at = ?, max_age = ?, cookie = ?,"
                  + " owner = ?, owner_since = ?, user_agent = ?, version = ?, touched_at = ?,"
                  + " gone_at = ?"
                  + " where id = ? and version = ? and gone_at > ?";
          try (PreparedStatement update = prepare(connection, sql)) {
            set(update, entry);
            update.setString(11, key);
            update.setLong(12, version);
            update.setLong(13, System.currentTimeMillis());
            return update.executeUpdate() > 0
                ? new ReplaceResult(true, entry)
                : new ReplaceResult(false, load(connection, key));
          }
        });
  }

  @Override
  public boolean touch(String id, SessionData session) throws IOException {
    String key = SessionStore.handle(id);
    long now = System.currentTimeMillis();
    String sql =
        "update percolate_sessions set touched_at = ?,"
            + " ends_at = case when max_age is null then ends_at else ? + max_age end,"
            + " gone_at = case when max_age is not null then ? + max_age"
            + " when ends_at is null then ? else gone_at end"
            + " where id = ? and gone_at > ?";
    return database.ask(
        connection -> {
          try (PreparedStatement update = prepare(connection, sql)) {
            update.setLong(1, now);
            update.setLong(2, now);
            update.setLong(3, now);
            update.setLong(4, now + idle.toMillis());
            update.setString(5, key);
            update.setLong(6, now);
            return update.executeUpdate() > 0;
          }
        });
  }

  @Override
  public void remove(String id) throws IOException {
    String key = SessionStore.handle(id);
    database.ask(connection -> delete(connection, key));
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
    database.ask(
        connection -> {
          String sql = "delete from percolate_sessions where owner = ?";
          try (PreparedStatement delete = prepare(connection, sql)) {
            delete.setString(1, owner);
            return delete.executeUpdate();
          }
        });
  }

  @Override
  public List<OwnedSession> list(String owner) throws IOException {
    String sql =
        "select id, owner_since, touched_at, user_agent from percolate_sessions"
            + " where owner = ? and gone_at > ? order by touched_at desc limit "
            + MOST_LISTED;
    return database.ask(
        connection -> {
          try (PreparedStatement select = prepare(connection, sql)) {
            select.setString(1, owner);
            select.setLong(2, System.currentTimeMillis());
            try (ResultSet row = select.executeQuery()) {
              List<OwnedSession> all = new ArrayList<>();
              while (row.next()) {
                Instant created = Instant.ofEpochMilli(row.getLong(2));
                Instant used = Instant.ofEpochMilli(row.getLong(3));
                all.add(new OwnedSession(row.getString(1), created, used, row.getString(4)));
              }
              return all;
            }
          }
        });
  }

  @Override
  public boolean removeOwned(String owner, String handle) throws IOException {
    return database.ask(
        connection -> {
          String sql =
              "delete from percolate_sessions where id = ? and owner = ? and gone_at > ?";
          try (PreparedStatement delete = prepare(connection, sql)) {
            delete.setString(1, handle);
            delete.setString(2, owner);
            delete.setLong(3, System.currentTimeMillis());
            return delete.executeUpdate() > 0;
          }
        });
  }

  @Override
  public Duration idleTimeout() {
    return idle;
  }

  private int delete(Connection connection, String key) throws SQLException {
    String sql = "delete from percolate_sessions where id = ?";
    try (PreparedStatement delete = prepare(connection, sql)) {
      delete.setString(1, key);
      return delete.executeUpdate();
    }
  }

  /** Deletes expired sessions, once a minute. */
  private void sweep(Connection connection) throws SQLException {
    long now = System.currentTimeMillis();
    long due = nextSweep.get();
    if (now < due || !nextSweep.compareAndSet(due, now + SWEEP.toMillis())) {
      return;
    }
    String sql = "delete from percolate_sessions where gone_at <= ?";
    try (PreparedStatement delete = prepare(connection, sql)) {
      delete.setLong(1, now);
      int ignored = delete.executeUpdate();
    }
  }

  private void set(PreparedStatement statement, Entry entry) throws SQLException {
    SessionData session = entry.session();
    Instant end = session.expires();
    long touched = entry.touched().toEpochMilli();
    statement.setString(1, session.json());
    set(statement, 2, end == null ? null : end.toEpochMilli());
    set(statement, 3, session.maxAge());
    statement.setString(4, session.cookie());
    Owner owner = session.owner();
    statement.setString(5, owner == null ? null : owner.name());
    set(statement, 6, owner == null ? null : owner.since().toEpochMilli());
    statement.setString(7, owner == null ? null : owner.userAgent());
    statement.setLong(8, entry.version());
    statement.setLong(9, touched);
    statement.setLong(10, end == null ? touched + idle.toMillis() : end.toEpochMilli());
  }

  private static void set(PreparedStatement statement, int index, @Nullable Long number)
      throws SQLException {
    if (number == null) {
      statement.setNull(index, Types.BIGINT);
    } else {
      statement.setLong(index, number);
    }
  }

  private PreparedStatement prepare(Connection connection, String sql) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    statement.setQueryTimeout(statementSeconds);
    return statement;
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private static long newVersion() {
    return ThreadLocalRandom.current().nextLong();
  }
}
