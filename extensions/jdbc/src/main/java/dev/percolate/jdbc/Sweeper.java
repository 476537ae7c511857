package dev.percolate.jdbc;

import dev.percolate.engine.RareWarning;
import dev.percolate.http.LogText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Deletes old rows in small batches. Servers that use the database try to do so every ten seconds;
 * a row in {@code percolate_sweeps} lets one of them succeed. It continues until no old row is
 * left, for at most ten seconds, so the tables stay small under load.
 *
 * <p>Every condition is repeated outside of its subquery, since another server may change a row
 * after the subquery has found it.
 */
final class Sweeper {

  private static final System.Logger LOG = System.getLogger("dev.percolate.jdbc");

  /** The default interval. */
  static final Duration INTERVAL = Duration.ofSeconds(10);

  private static final int BATCH = 1000;
  private static final int BATCH_OF_TOPICS = 200;

  /** How long messages stay that a topic does not keep, for servers that have not read them. */
  private static final long UNKEPT_MICROS = TimeUnit.SECONDS.toMicros(60);

  /** The time without new messages after which a topic loses all messages. */
  private static final long UNUSED_MICROS = TimeUnit.DAYS.toMicros(7);

  private static final String NOW = Statements.MICROS;
  private static final String MILLIS = NOW + " / 1000";

  private static final List<String> DELETIONS =
      List.of(
          "delete from percolate_sessions where " + some("sessions", "id", "gone_at <= " + MILLIS),
          "delete from percolate_rates where " + some("rates", "name", "full_at <= " + NOW),
          "delete from percolate_responses where " + some("responses", "id", "gone_at <= " + NOW),
          "delete from percolate_topics where "
              + some("topics", "topic", "kept = 0 and swept >= messages" + before(UNKEPT_MICROS)));

  /** Topics without new messages keep none, so that the next sweeps delete them. */
  private static final String EXPIRE =
      "update percolate_topics set kept = 0 where "
          + some("topics", "topic", "kept > 0" + before(UNUSED_MICROS));

  /** Finds topics whose oldest message is not kept, and old enough to be deleted. */
  private static final String FIND_TOPICS =
      "select topic, messages, messages - kept, swept from percolate_topics"
          + " where messages - kept > swept and coalesce((select m.id from percolate_messages m"
          + " where m.topic = percolate_topics.topic order by m.id limit 1), 0) < "
          + NOW
          + " - "
          + UNKEPT_MICROS
          + " limit "
          + BATCH_OF_TOPICS;

  /**
   * Deletes the oldest messages of a topic. Parameters: the topic, the topic, the maximum number of
   * messages, the number of the last message that the topic does not keep.
   */
  private static final String DELETE_MESSAGES =
      "delete from percolate_messages where topic = ?"
          + " and id in (select id from percolate_messages where topic = ? order by id limit ?)"
          + " and number <= ?"
          + before(UNKEPT_MICROS);

  /** Parameters: the number of the newest message when the topic was found, and the topic. */
  private static final String NOTE_SWEPT =
      "update percolate_topics set swept = coalesce("
          + "(select m.number - 1 from percolate_messages m"
          + " where m.topic = percolate_topics.topic order by m.id limit 1), cast(? as bigint))"
          + " where topic = ?";

  private static final String CLAIM =
      "update percolate_sweeps set next_at = cast(? as bigint) + "
          + NOW
          + " where next_at <= "
          + NOW;

  private static final String ADD =
      "insert into percolate_sweeps (id, next_at) values (1, cast(? as bigint) + " + NOW + ")";

  private final Database database;
  private final Duration interval;
  private final AtomicLong next;
  private final RareWarning warning = new RareWarning();

  /**
   * A topic with messages that it does not keep.
   *
   * @param newest the number of its newest message
   * @param last the number of the last message that it does not keep
   * @param swept the number of the last message that was deleted
   */
  private record Excess(String topic, long newest, long last, long swept) {}

  Sweeper(Database database, Duration interval) {
    this.database = database;
    this.interval = interval;
    this.next = new AtomicLong(System.nanoTime() + interval.toNanos());
  }

  /** Returns a condition for a batch of the rows with a condition. */
  private static String some(String table, String key, String condition) {
    String batch =
        "select " + key + " from percolate_" + table + " where " + condition + " limit " + BATCH;
    return key + " in (" + batch + ") and " + condition;
  }

  private static String before(long micros) {
    return " and id < " + NOW + " - " + micros;
  }

  /** Starts a sweep on another thread, if the interval has passed. */
  void runIfDue() {
    long now = System.nanoTime();
    long due = next.get();
    if (now - due >= 0 && next.compareAndSet(due, now + interval.toNanos())) {
      DatabaseCircuitBreaker.THREADS.execute(this::sweep);
    }
  }

  /** Deletes all old rows, unless another server does so. */
  void sweep() {
    long end = System.nanoTime() + interval.toNanos();
    boolean more = attempt(this::claims);
    while (more) {
      more = sweepOnce() && System.nanoTime() - end < 0;
    }
  }

  /** Runs a deletion. If it fails, the others continue, and the next sweep repeats it. */
  private boolean attempt(DatabaseTask.Work<Boolean> deletion) {
    try {
      return database.ask(deletion);
    } catch (IOException | RuntimeException e) {
      if (warning.isDue()) {
        LOG.log(Level.WARNING, "old rows were not deleted: " + LogText.escape(e.toString()));
      }
      return false;
    }
  }

  private boolean claims(Connection connection) throws SQLException {
    long micros = TimeUnit.NANOSECONDS.toMicros(interval.toNanos());
    return database.statements().update(connection, CLAIM, micros) > 0
        || database.statements().insertOnce(connection, ADD, micros);
  }

  /** Deletes one batch of each table; returns true if there may be more. */
  private boolean sweepOnce() {
    boolean more = attempt(this::sweepTopics);
    for (String deletion : DELETIONS) {
      more |= attempt(open -> database.statements().update(open, deletion) >= BATCH);
    }
    return more;
  }

  private boolean sweepTopics(Connection connection) throws SQLException {
    int expired = database.statements().update(connection, EXPIRE);
    List<Excess> topics = topics(connection);
    if (topics.isEmpty()) {
      return expired >= BATCH;
    }
    int most = BATCH / topics.size();
    try (PreparedStatement delete = database.statements().prepare(connection, DELETE_MESSAGES);
        PreparedStatement note = database.statements().prepare(connection, NOTE_SWEPT)) {
      for (Excess excess : topics) {
        delete.setString(1, excess.topic());
        delete.setString(2, excess.topic());
        delete.setLong(3, Math.min(most, excess.last() - excess.swept()));
        delete.setLong(4, excess.last());
        delete.addBatch();
        note.setLong(1, excess.newest());
        note.setString(2, excess.topic());
        note.addBatch();
      }
      int[] deleted = delete.executeBatch();
      int[] ignored = note.executeBatch();
      return topics.size() == BATCH_OF_TOPICS || Arrays.stream(deleted).anyMatch(n -> n >= most);
    }
  }

  private List<Excess> topics(Connection connection) throws SQLException {
    try (PreparedStatement select = database.statements().prepare(connection, FIND_TOPICS);
        ResultSet row = select.executeQuery()) {
      List<Excess> topics = new ArrayList<>();
      while (row.next()) {
        topics.add(new Excess(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4)));
      }
      return topics;
    }
  }
}
