package dev.percolate.jdbc;

import dev.percolate.core.store.MemberStore;
import dev.percolate.core.store.RateLimitStore;
import dev.percolate.core.store.SessionStore;
import dev.percolate.core.store.TopicBus;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;

/**
 * Shares sessions, rate limits, idempotent responses, topics and members of rooms between servers
 * through PostgreSQL, or stores them in H2 for one server.
 *
 * <pre>{@code
 * Jdbc jdbc = Jdbc.of(dataSource);
 * jdbc.createTables();
 * app.use(Sessions.of(secret).store(jdbc.sessions()));
 * app.use(RateLimit.of(100, Duration.ofMinutes(1)).store(jdbc.rateLimits("all")));
 * app.onClose(jdbc);
 * }</pre>
 *
 * <p>The tables are {@link #TABLES}. Rows contain SHA-256 hashes instead of the ids of sessions,
 * the names of clients and of topics. All times are those of the clock of the database, so the
 * clocks of servers may differ. Every ten seconds, one of the servers that use the database deletes
 * old rows, 1,000 at a time. Statements run with READ COMMITTED, regardless of the default.
 *
 * <p>A request waits at most 1.5 s for a connection and its statements, or 3 s until the database
 * has responded once. Each statement has a timeout of 1 s. After five failures in a row, all
 * requests fail at once, and the database is checked in the background every 200 ms. A failure
 * throws an {@link IOException}, which contains the SQL state and error code, but no values;
 * middleware handles it as configured.
 *
 * <p>Statements run on a separate thread, so a data source does not see the thread-local values of
 * the request. Set the connection timeout of a pool such as HikariCP to one or two seconds, so that
 * its threads do not wait longer. On PostgreSQL, topics keep one connection of the pool while they
 * have listeners.
 */
public final class Jdbc implements AutoCloseable {

  /**
   * The statements that {@link #createTables} runs, separated by semicolons, for PostgreSQL. For
   * other databases, {@code unlogged} is left out.
   */
  public static final String TABLES =
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
      );
      create index if not exists percolate_sessions_gone on percolate_sessions (gone_at);
      create index if not exists percolate_sessions_owner on percolate_sessions (owner);
      create unlogged table if not exists percolate_rates (
        name varchar(43) primary key,
        full_at double precision not null
      );
      create table if not exists percolate_responses (
        id varchar(80) primary key,
        token varchar(64) not null,
        fingerprint varchar(64) not null,
        response text,
        gone_at bigint not null
      );
      create index if not exists percolate_responses_gone on percolate_responses (gone_at);
      create table if not exists percolate_topics (
        topic varchar(43) primary key,
        id bigint not null,
        messages bigint not null,
        kept bigint not null,
        swept bigint not null
      );
      create table if not exists percolate_messages (
        topic varchar(43) not null,
        id bigint not null,
        number bigint not null,
        json text not null,
        primary key (topic, id)
      );
      create unlogged table if not exists percolate_servers (
        id varchar(43) primary key,
        ends_at bigint not null
      );
      create unlogged table if not exists percolate_members (
        room varchar(43) not null,
        member varchar(256) not null,
        server varchar(43) not null,
        primary key (room, member, server)
      );
      create index if not exists percolate_members_server on percolate_members (server, room, member);
      create table if not exists percolate_sweeps (
        id integer primary key,
        next_at bigint not null
      )
      """;

  /** The default time that a request waits. */
  static final Duration TIMEOUT = Duration.ofMillis(1500);

  private static final int LONGEST_NAME = 64;

  private final DataSource source;
  private final Database database;
  private final Sweeper sweeper;
  private final JdbcIdempotency idempotency;
  private final JdbcTopics topics;

  /**
   * Creates the stores.
   *
   * @param local the clock of this server
   * @param sweepInterval the time between two deletions of old rows
   */
  Jdbc(
      DataSource source,
      DataSource direct,
      Duration timeout,
      InstantSource local,
      Duration sweepInterval) {
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("timeout must be at least 1 ms, was " + timeout);
    }
    this.source = source;
    this.database = new Database(source, timeout, local, this::sweepIfDue);
    this.sweeper = new Sweeper(database, sweepInterval);
    this.idempotency = new JdbcIdempotency(source, database);
    this.topics = new JdbcTopics(database, direct);
  }

  private void sweepIfDue() {
    sweeper.runIfDue();
  }

  /**
   * Creates the stores of a database, without connecting yet.
   *
   * @param source the data source, usually a connection pool of at least two connections
   */
  public static Jdbc of(DataSource source) {
    return of(source, TIMEOUT);
  }

  /**
   * Creates the stores of a database, with a timeout.
   *
   * @param source the data source, usually a connection pool of at least two connections
   * @param timeout the maximum time that a request waits. Default: 1.5 s
   * @throws IllegalArgumentException if the timeout is less than a millisecond
   */
  public static Jdbc of(DataSource source, Duration timeout) {
    return of(source, source, timeout);
  }

  /**
   * Creates the stores of a database behind a proxy that shares connections, such as PgBouncer in
   * transaction mode. {@code LISTEN} does not work through such a proxy.
   *
   * @param source the data source, usually a connection pool
   * @param direct opens the one connection that listens to topics, without the proxy
   * @param timeout the maximum time that a request waits. Default: 1.5 s
   * @throws IllegalArgumentException if the timeout is less than a millisecond
   */
  public static Jdbc of(DataSource source, DataSource direct, Duration timeout) {
    return new Jdbc(source, direct, timeout, InstantSource.system(), Sweeper.INTERVAL);
  }

  /**
   * Creates the tables and their indexes if they do not exist. Several servers may call this at
   * once. On PostgreSQL, only the creation needs the right to create tables.
   *
   * @throws SQLException if the database rejects a statement
   */
  public void createTables() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      boolean postgres = Statements.isPostgres(connection);
      String tables = postgres ? TABLES : TABLES.replace(" unlogged ", " ");
      for (String sql : tables.split(";", -1)) {
        if (!postgres || !exists(statement, sql)) {
          createOnce(connection, statement, sql);
        }
      }
    }
  }

  /**
   * Returns true if PostgreSQL has the table or index that a statement creates. Otherwise {@code if
   * not exists} would need the right to create tables, and an index would wait for transactions
   * that have changed its table, while all later changes wait for the index.
   */
  private static boolean exists(Statement statement, String sql) throws SQLException {
    String name = sql.replaceFirst("(?s).* if not exists (\\w+).*", "$1");
    String find = "select to_regclass(quote_ident(current_schema()) || '." + name + "')";
    try (ResultSet row = statement.executeQuery(find)) {
      return row.next() && row.getString(1) != null;
    }
  }

  /** Runs a statement, twice if it fails, since another server may run it at the same time. */
  private static void createOnce(Connection connection, Statement statement, String sql)
      throws SQLException {
    try {
      boolean ignored = statement.execute(sql);
    } catch (SQLException first) {
      Transaction.rollback(connection);
      boolean ignored = statement.execute(sql);
    }
    DatabaseTask.commit(connection);
  }

  /** Returns a session store. Sessions without an expiry expire after one day without use. */
  public SessionStore sessions() {
    return sessions(SessionStore.DEFAULT_IDLE_TIMEOUT);
  }

  /**
   * Returns a session store.
   *
   * @param idle the time without use after which sessions without an expiry expire
   * @throws IllegalArgumentException if {@code idle} is less than a millisecond
   */
  public SessionStore sessions(Duration idle) {
    if (idle.toMillis() < 1) {
      throw new IllegalArgumentException("idle must be at least 1 ms, was " + idle);
    }
    return new JdbcSessions(database, idle);
  }

  /**
   * Returns a store for the counters of one rate limit. PostgreSQL does not log the table, so the
   * counters are lost if it crashes or fails over.
   *
   * @param limit the name of the limit: at most 64 letters, digits, {@code . _ -}; limits with the
   *     same name share their counters
   * @throws IllegalArgumentException if the name is invalid
   */
  public RateLimitStore rateLimits(String limit) {
    if (!limit.matches("[\\w.-]+") || limit.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "limit must be 1 to 64 letters, digits, dots, _ or -, was \"" + limit + "\"");
    }
    return new JdbcRateLimits(database, limit);
  }

  /** Returns a store for responses to requests with an idempotency key. */
  public JdbcIdempotency idempotency() {
    return idempotency;
  }

  /**
   * Returns a bus that delivers the messages of topics: to all servers with PostgreSQL, within this
   * process with other databases.
   *
   * <p>A message that its topic does not keep stays for a minute, so that servers can read it. A
   * topic without new messages is deleted after seven days, or after a minute if it keeps none.
   */
  public TopicBus topics() {
    return topics;
  }

  /**
   * Returns a store for the members of rooms. PostgreSQL does not log its tables: after a crash or
   * failover they are empty, and the servers add their members again.
   */
  public MemberStore members() {
    return new JdbcMembers(database);
  }

  /**
   * Checks that the database responds, for a health check.
   *
   * @throws IOException if it does not respond in time
   */
  public void ping() throws IOException {
    boolean ignored = database.ask(database::responds);
  }

  /** Stops listening to topics. The data source stays open. */
  @Override
  public void close() {
    topics.close();
  }
}
