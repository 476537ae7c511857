package dev.percolate.jdbc;

import dev.percolate.core.store.TopicBus.Message;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.DaemonTimer;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Reads the messages of one topic for one consumer, in the order of their ids, on one thread at a
 * time. So a slow consumer delays no other.
 *
 * <p>The ids of a topic are assigned and committed in order, since the row of the topic is locked
 * meanwhile. So a reader that continues after the last id never misses a message.
 */
final class TopicReader {

  /** The maximum number of messages in memory. */
  private static final int PAGE = 64;

  /**
   * The size after which a page ends, in bytes of UTF-8, since all of it must arrive within the
   * timeout of a statement.
   */
  private static final int PAGE_BYTES = 1 << 20;

  /** The maximum number of bytes of UTF-8 for each character of a string. */
  private static final int MOST_BYTES = 3;

  /** The delay before another attempt after a failure. */
  private static final Duration AGAIN = Duration.ofMillis(500);

  /** How many ids are remembered, in case that a failover loses the newest messages. */
  private static final int MOST_DELIVERED = 128;

  /**
   * Parameters: the topic, the last id that was read, and the id up to which only kept messages are
   * returned.
   */
  private static final String READ =
      "select id, json from (select m.id, m.json,"
          + " sum(octet_length(m.json)) over (order by m.id) - octet_length(m.json) as earlier"
          + " from percolate_messages m join percolate_topics t on t.topic = m.topic"
          + " where m.topic = ? and m.id > ? and (m.id > ? or m.number > t.messages - t.kept)"
          + " order by m.id limit "
          + PAGE
          + ") page where earlier < "
          + PAGE_BYTES
          + " order by id";

  private static final String NEWEST = "select id from percolate_topics where topic = ?";

  private final Database database;
  private final String topic;
  private final Consumer<? super Message> consumer;
  private final Semaphore reads;

  // Guarded by this.
  private boolean due;
  private boolean running = true; // until the kept messages are delivered
  private long lostAfter = -1;

  // Used by the thread that delivers.
  private final Deque<Long> delivered = new ArrayDeque<>();
  private volatile long last;

  private volatile boolean ended;

  /**
   * Creates a reader.
   *
   * @param topic the key of the topic
   * @param reads limits the number of readers that query the database at the same time
   */
  TopicReader(
      Database database, String topic, Consumer<? super Message> consumer, Semaphore reads) {
    this.database = database;
    this.topic = topic;
    this.consumer = consumer;
    this.reads = reads;
  }

  String topic() {
    return topic;
  }

  /** Returns the id up to which messages were read. */
  long last() {
    return last;
  }

  /** Returns true if no thread reads or delivers messages. */
  synchronized boolean isIdle() {
    return !running;
  }

  /** Delivers the kept messages after an id on the calling thread. */
  void begin(long since) throws IOException {
    long newest = newest();
    boolean known = since > 0 && since <= newest;
    last = known ? since : 0;
    catchUp(known ? since : newest);
    last = Math.max(last, newest);
    if (isDue()) {
      start();
    }
  }

  private long newest() throws IOException {
    return database.ask(
        connection -> {
          try (PreparedStatement select = database.statements().prepare(connection, NEWEST, topic);
              ResultSet row = select.executeQuery()) {
            return row.next() ? row.getLong(1) : 0L;
          }
        });
  }

  /** Reads messages on another thread, since there may be new ones. */
  void wake() {
    synchronized (this) {
      due = true;
      if (running || ended) {
        return;
      }
      running = true;
      due = false;
    }
    start();
  }

  /** Continues after an id, since a failover has lost the messages after it. */
  void lost(long newest) {
    synchronized (this) {
      lostAfter = newest;
    }
    wake();
  }

  void end() {
    ended = true;
  }

  private void start() {
    try {
      DatabaseCircuitBreaker.THREADS.execute(this::run);
    } catch (Throwable e) { // no thread can be created now
      tryLater();
    }
  }

  private void run() {
    try {
      do {
        rewind();
        List<Message> page = readNew();
        deliver(page);
        if (isFull(page)) {
          wake();
        }
      } while (isDue());
    } catch (Throwable e) {
      tryLater();
    }
  }

  private void tryLater() {
    synchronized (this) {
      running = false;
    }
    Object ignored = DaemonTimer.after(AGAIN, this::wake);
  }

  /** Returns true if this thread must read again; otherwise no thread reads any more. */
  private synchronized boolean isDue() {
    running = due && !ended;
    due = false;
    return running;
  }

  private void rewind() {
    long newest;
    synchronized (this) {
      newest = lostAfter;
      lostAfter = -1;
    }
    if (newest >= 0 && newest < last) {
      while (!delivered.isEmpty() && delivered.getLast() > newest) {
        delivered.removeLast();
      }
      last = delivered.isEmpty() ? newest : delivered.getLast();
    }
  }

  /** Delivers all messages that are stored now, and those up to an id only if they are kept. */
  private void catchUp(long onlyKept) throws IOException {
    List<Message> page;
    do {
      page = read(onlyKept);
      deliver(page);
    } while (isFull(page) && !ended);
  }

  /** Returns true if there may be messages after a page. */
  private static boolean isFull(List<Message> page) {
    long characters = page.stream().mapToLong(message -> message.json().length()).sum();
    return page.size() == PAGE || characters * MOST_BYTES >= PAGE_BYTES;
  }

  private List<Message> readNew() throws IOException {
    reads.acquireUninterruptibly();
    try {
      return read(0);
    } finally {
      reads.release();
    }
  }

  private List<Message> read(long onlyKept) throws IOException {
    return database.ask(
        connection -> {
          try (PreparedStatement select =
                  database.statements().prepare(connection, READ, topic, last, onlyKept);
              ResultSet row = select.executeQuery()) {
            List<Message> page = new ArrayList<>();
            while (row.next()) {
              page.add(new Message(row.getLong(1), row.getString(2)));
            }
            return page;
          }
        });
  }

  private void deliver(List<Message> page) {
    for (Message message : page) {
      if (ended) {
        return;
      }
      last = message.id();
      delivered.add(last);
      if (delivered.size() > MOST_DELIVERED) {
        long ignored = delivered.remove();
      }
      Callbacks.accept("a subscriber of a topic", consumer, message);
    }
  }
}
