package dev.percolate.jdbc;

import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.RareWarning;
import dev.percolate.http.Hash;
import dev.percolate.http.LogText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Stores messages in a table. On PostgreSQL, each message notifies all servers, which then read it.
 * A notification contains only the key of the topic, so messages may be longer than 8,000 bytes.
 * Every five seconds, a query finds messages whose notification was lost.
 *
 * <p>An id is the time of the database in microseconds, or the last id plus one if that is greater.
 * On PostgreSQL one statement assigns the id, stores the message and notifies, so a server that
 * stops in between holds no lock.
 */
final class JdbcTopics implements TopicBus {

  private static final System.Logger LOG = System.getLogger("dev.percolate.jdbc");
  private static final Duration POLL = Duration.ofSeconds(5);
  private static final Duration AGAIN = Duration.ofMillis(500);

  /** The age of a message that should have arrived. */
  private static final long LATE_MICROS = TimeUnit.SECONDS.toMicros(2);

  private static final int MOST_READS = 4;
  private static final int MOST_TOPICS = 1000;

  /** Parameters: the topic, the number of kept messages, the message. */
  static final String PUBLISH =
      """
      with head as (
        insert into percolate_topics as t (topic, id, messages, kept, swept)
        values (?, MICROS, 1, ?, 0)
        on conflict (topic) do update
        set id = greatest(t.id + 1, excluded.id), messages = t.messages + 1, kept = excluded.kept
        returning topic, id, messages),
      stored as (
        insert into percolate_messages (topic, id, number, json)
        select topic, id, messages, cast(? as text) from head)
      select id, pg_notify('CHANNEL', topic) from head
      """
          .replace("MICROS", Statements.MICROS)
          .replace("CHANNEL", NotifyListener.CHANNEL);

  // The same in several statements, for other databases.
  private static final String ADVANCE =
      "update percolate_topics set id = greatest(id + 1, "
          + Statements.MICROS
          + "), messages = messages + 1, kept = cast(? as bigint)"
          + " where topic = cast(? as varchar)";
  private static final String ADD_TOPIC =
      "insert into percolate_topics (topic, id, messages, kept, swept) values (?, 0, 0, 0, 0)";
  private static final String ADD_MESSAGE =
      "insert into percolate_messages (topic, id, number, json) values (?, ?, ?, ?)";

  private static final String NEWEST =
      "select topic, id from percolate_topics where topic = any (?)";

  private final Database database;
  private final DataSource direct;
  private final RareWarning warning = new RareWarning();
  private final Semaphore reads = new Semaphore(MOST_READS);
  private final Map<String, Set<TopicReader>> readers = new ConcurrentHashMap<>();
  private volatile boolean notifies = true;

  // Guarded by this.
  private @Nullable NotifyListener listener;
  private boolean polling;
  private boolean closed;

  /**
   * Creates the bus.
   *
   * @param direct the source of the connection that listens
   */
  JdbcTopics(Database database, DataSource direct) {
    this.database = database;
    this.direct = direct;
  }

  @Override
  public long micros() {
    return TimeUnit.MILLISECONDS.toMicros(database.clock().now());
  }

  @Override
  public long publish(String topic, String json, int keep) throws IOException {
    String key = Hash.sha256(topic);
    long kept = Math.max(0, keep);
    long id = database.ask(connection -> publish(connection, key, kept, json));
    if (!notifies) {
      wake(key);
    }
    return id;
  }

  private long publish(Connection connection, String key, long kept, String json)
      throws SQLException {
    if (!Statements.isPostgres(connection)) {
      notifies = false;
      return Transaction.run(connection, open -> publishInSteps(open, key, kept, json));
    }
    try (PreparedStatement publish =
            database.statements().prepare(connection, PUBLISH, key, kept, json);
        ResultSet row = publish.executeQuery()) {
      if (!row.next()) {
        throw new SQLException("the statement that publishes returned no id");
      }
      return row.getLong(1);
    }
  }

  private long publishInSteps(Connection connection, String key, long kept, String json)
      throws SQLException {
    String sql = Statements.returning(connection, "id, messages", ADVANCE);
    while (true) {
      try (PreparedStatement advance = database.statements().prepare(connection, sql, kept, key);
          ResultSet row = advance.executeQuery()) {
        if (row.next()) {
          long id = row.getLong(1);
          long number = row.getLong(2);
          int ignored =
              database.statements().update(connection, ADD_MESSAGE, key, id, number, json);
          return id;
        }
      }
      boolean ignored = database.statements().insertOnce(connection, ADD_TOPIC, key);
    }
  }

  @Override
  public AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer)
      throws IOException {
    TopicReader reader = new TopicReader(database, Hash.sha256(topic), consumer, reads);
    readers.compute(
        reader.topic(),
        (key, known) -> {
          Set<TopicReader> all = known == null ? ConcurrentHashMap.newKeySet() : known;
          all.add(reader);
          return all;
        });
    try {
      startPolling();
      reader.begin(since);
    } catch (Throwable e) {
      leave(reader);
      throw e;
    }
    return () -> leave(reader);
  }

  private void leave(TopicReader reader) {
    reader.end();
    readers.computeIfPresent(
        reader.topic(), (key, all) -> all.remove(reader) && all.isEmpty() ? null : all);
  }

  private void wake(String key) {
    readers.getOrDefault(key, Set.of()).forEach(TopicReader::wake);
  }

  private void wakeAll() {
    readers.values().forEach(all -> all.forEach(TopicReader::wake));
  }

  /** Stops listening. The data sources stay open. */
  synchronized void close() {
    closed = true;
    readers.values().forEach(all -> all.forEach(TopicReader::end));
    endListener();
  }

  /** Starts to listen, and to look for messages whose notification was lost. */
  private synchronized void startPolling() {
    if (!polling && !closed) {
      polling = true;
      pollLater();
      listen();
    }
  }

  private void pollLater() {
    Object ignored = DaemonTimer.afterBlocking(POLL, this::poll);
  }

  private void poll() {
    synchronized (this) {
      if (closed || readers.isEmpty()) {
        polling = false;
        endListener();
        return;
      }
    }
    try {
      boolean late = findMissed();
      renewListener(late);
    } catch (IOException e) {
      renewListener(false);
    } finally {
      pollLater();
    }
  }

  /** Wakes readers that lack messages; returns true if a notification has not arrived in time. */
  private boolean findMissed() throws IOException {
    Map<TopicReader, Long> before = new HashMap<>();
    readers.values().forEach(all -> all.forEach(one -> before.put(one, one.last())));
    Map<String, Long> newest = newest(List.copyOf(readers.keySet()));
    long now = TimeUnit.MILLISECONDS.toMicros(database.clock().now());
    boolean late = false;
    for (Map.Entry<TopicReader, Long> one : before.entrySet()) {
      TopicReader reader = one.getKey();
      long last = one.getValue();
      long id = newest.getOrDefault(reader.topic(), last);
      if (id < last) {
        reader.lost(id);
      } else if (id > last) {
        late |= reader.isIdle() && reader.last() < id && now - id > LATE_MICROS;
        reader.wake();
      }
    }
    return late;
  }

  /** Returns the newest ids of topics. */
  private Map<String, Long> newest(List<String> topics) throws IOException {
    Map<String, Long> newest = new HashMap<>();
    for (int from = 0; from < topics.size(); from += MOST_TOPICS) {
      List<String> some = topics.subList(from, Math.min(topics.size(), from + MOST_TOPICS));
      newest.putAll(database.ask(connection -> newest(connection, some)));
    }
    return newest;
  }

  private Map<String, Long> newest(Connection connection, List<String> topics) throws SQLException {
    Map<String, Long> newest = new HashMap<>();
    Array keys = connection.createArrayOf("varchar", topics.toArray(new String[0]));
    try (PreparedStatement select = database.statements().prepare(connection, NEWEST, keys);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        newest.put(row.getString(1), row.getLong(2));
      }
    }
    return newest;
  }

  /** Starts to listen, unless a connection listens already. */
  private synchronized void listen() {
    if (listener == null && notifies && !closed && !readers.isEmpty()) {
      NotifyListener next = new NotifyListener(direct, this::wakeAll, this::wake);
      DatabaseCircuitBreaker.THREADS.execute(() -> listen(next));
      listener = next;
    }
  }

  private void listen(NotifyListener mine) {
    try {
      if (!mine.run()) {
        notifies = false;
      }
    } catch (SQLException | RuntimeException e) {
      failed(mine, e);
    }
    listenAgain(mine);
  }

  /** Listens again after a while, unless another listener has taken over. */
  private synchronized void listenAgain(NotifyListener mine) {
    if (listener == null || listener == mine) {
      listener = null;
      Object ignored = DaemonTimer.after(AGAIN, this::listen);
    }
  }

  private synchronized void renewListener(boolean late) {
    if (listener != null && (late || listener.isStuck())) {
      if (late && warning.isDue()) {
        LOG.log(
            Level.WARNING,
            "notifications of topics do not arrive; messages may arrive 5 s late. With a proxy such"
                + " as PgBouncer, use Jdbc.of(source, direct, timeout).");
      }
      endListener();
    }
    listen();
  }

  private synchronized void endListener() {
    if (listener != null) {
      listener.end();
      listener = null;
    }
  }

  private synchronized void failed(NotifyListener mine, Exception failure) {
    if (listener == mine && warning.isDue()) {
      String reason =
          failure instanceof SQLException e ? SqlFailure.text(e) : failure.getClass().getName();
      LOG.log(
          Level.WARNING,
          "the connection that listens to topics failed; messages may arrive 5 s late: "
              + LogText.escape(reason));
    }
  }
}
