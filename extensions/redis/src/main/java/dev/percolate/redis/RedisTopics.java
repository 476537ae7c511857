package dev.percolate.redis;

import dev.percolate.core.store.StoreClock;
import dev.percolate.core.store.TopicBus;
import dev.percolate.engine.Callbacks;
import dev.percolate.engine.Daemon;
import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.RareWarning;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes messages on a channel, and stores them in a stream with the same name.
 *
 * <p>A script adds a message to the stream and publishes it, so both have the same order. An id is
 * the time by the clock of Redis in microseconds, or the last id plus one if that is greater. A
 * listener that subscribes or was disconnected first gets the stored messages, then those of the
 * channel, each id once.
 *
 * <p>Each message on the channel contains the previous id. Cluster nodes lose messages to each
 * other while they reconnect; a listener that detects such a gap reads the stream before it
 * continues.
 *
 * @param redis runs the scripts
 * @param clock the clock of Redis
 */
record RedisTopics(RedisConnection redis, RedisClock clock) implements TopicBus {

  private static final System.Logger LOG = System.getLogger("dev.percolate.redis");
  private static final RareWarning SKIPPED = new RareWarning();
  private static final String TOPIC = "t";

  /** The time without new messages after which stored messages expire; ids still grow. */
  private static final String LIFE_SECONDS = Long.toString(7 * 24 * 60 * 60);

  /** The lifetime of the last id of a topic without stored messages, in case a clock goes back. */
  private static final String LIFE_OF_ID_SECONDS = "60";

  /** The delay before another attempt to read stored messages. */
  private static final Duration AGAIN = Duration.ofMillis(500);

  /** The maximum size of the messages that wait while a listener is slow or reads the stream. */
  private static final int MOST_WAITING = 32 << 20;

  /** The memory of a message in addition to its text, in bytes. */
  private static final int MESSAGE_OVERHEAD = 100;

  /**
   * How many ids of delivered messages are remembered: a master that fails has at most so many that
   * no replica has.
   */
  private static final int MOST_DELIVERED = 128;

  /** Reads the last id from the stream, or from a string if the topic stores no messages. */
  private static final String LAST =
      """
      local last = 0
      local kind = redis.call('TYPE', KEYS[1]).ok
      if kind == 'stream' then
        local about = redis.call('XINFO', 'STREAM', KEYS[1])
        for i = 1, #about, 2 do
          if about[i] == 'last-generated-id' then
            last = tonumber(string.match(about[i + 1], '^%d+'))
          end
        end
      elseif kind == 'string' then
        last = tonumber(redis.call('GET', KEYS[1]))
      end
      """;

  /**
   * Publishes the previous id, the new id, and ARGV[1] on the channel ARGV[2]. Keeps ARGV[3] stored
   * messages, for ARGV[4] seconds.
   */
  private static final RedisScript PUBLISH =
      new RedisScript(
          LAST
              + """
              local time = redis.call('TIME')
              local now = string.format('%.0f', math.max(last + 1, time[1] * 1000000 + time[2]))
              if ARGV[3] == '0' then
                redis.call('SET', KEYS[1], now, 'EX', ARGV[4])
              else
                if kind == 'string' then redis.call('DEL', KEYS[1]) end
                redis.call('XADD', KEYS[1], 'MAXLEN', ARGV[3], now .. '-0', 'j', ARGV[1])
                redis.call('EXPIRE', KEYS[1], ARGV[4])
              end
              local before = string.format('%.0f', last)
              redis.call('PUBLISH', ARGV[2], before .. ' ' .. now .. ' ' .. ARGV[1])
              return now
              """);

  /**
   * Returns the last id, then the stored messages after the id ARGV[1], or all of them if ARGV[1]
   * is greater than the last id. Ends after 1 MiB, since a longer reply could exceed the timeout.
   */
  private static final RedisScript READ =
      new RedisScript(
          LAST
              + """
              local since = ARGV[1]
              if tonumber(since) > last then since = '0' end
              local texts = {string.format('%.0f', last)}
              if kind ~= 'stream' then return texts end
              local size = 0
              repeat
                local kept = redis.call('XRANGE', KEYS[1], '(' .. since .. '-0', '+', 'COUNT', 8)
                for _, one in ipairs(kept) do
                  since = string.match(one[1], '^%d+')
                  size = size + string.len(one[2][2]) + 100
                  texts[#texts + 1] = since .. ' ' .. one[2][2]
                end
              until #kept < 8 or size > 1048576
              return texts
              """);

  /** Calls consumers. They may publish and so block; the threads of the connection must not. */
  private static final Executor READERS =
      Executors.newCachedThreadPool(task -> Daemon.thread(task, "percolate-redis-topics"));

  @Override
  public long micros() {
    return TimeUnit.MILLISECONDS.toMicros(clock.known().now());
  }

  @Override
  public long publish(String topic, String json, int keep) throws IOException {
    String key = redis.key(TOPIC, topic);
    String kept = Integer.toString(Math.max(0, keep));
    String life = keep > 0 ? LIFE_SECONDS : LIFE_OF_ID_SECONDS;
    return idOf(PUBLISH.run(redis, key, json, key, kept, life));
  }

  @Override
  public AutoCloseable subscribe(String topic, long since, Consumer<? super Message> consumer)
      throws IOException {
    String key = redis.key(TOPIC, topic);
    StoreClock ignored = clock.get(); // for micros()
    Reader reader = new Reader(key, since, consumer);
    AutoCloseable listening = redis.subscribe(key, reader);
    try {
      reader.catchUp();
    } catch (IOException e) {
      close(listening);
      throw e;
    }
    return () -> {
      reader.end();
      listening.close();
    };
  }

  private static void close(AutoCloseable listening) {
    try {
      listening.close();
    } catch (Exception e) {
      // The failure to read the stream is reported.
    }
  }

  private static IOException garbage() {
    return new IOException("Redis returned an invalid topic message");
  }

  private static long idOf(@Nullable Object text) throws IOException {
    try {
      return Long.parseLong(String.valueOf(text));
    } catch (NumberFormatException e) {
      throw garbage();
    }
  }

  private static Message message(String text) throws IOException {
    int blank = text.indexOf(' ');
    try {
      return new Message(Long.parseLong(text.substring(0, blank)), text.substring(blank + 1));
    } catch (RuntimeException e) {
      throw garbage();
    }
  }

  private static int size(Message message) {
    return message.json().length() + MESSAGE_OVERHEAD;
  }

  private static void skipped(String key, IOException reason) {
    if (SKIPPED.isDue()) {
      LOG.log(Level.WARNING, "skipped an invalid message of the topic " + key, reason);
    }
  }

  /** Calls one consumer with the stored messages and the new ones, in order. */
  private final class Reader implements RedisCommands.Listener {

    private final String key;
    private final Consumer<? super Message> consumer;

    /** Messages that the consumer has not received yet. Guarded by itself. */
    private final Deque<Message> waiting = new ArrayDeque<>();

    /** The size of the messages that arrived on the channel and were not delivered since. */
    private int waitingSize;

    private long last;

    /** The ids of the last messages that the consumer got, as a ring. */
    private final long[] delivered = new long[MOST_DELIVERED];

    private int deliveries;

    /** The newest id seen on the channel or in the stream. */
    private long newest;

    /** The id up to which messages are missing since the stream was last read. */
    private long missing;

    private boolean behind = true;
    private boolean reading;
    private boolean begun;
    private boolean calling;
    private boolean ended;

    Reader(String key, long since, Consumer<? super Message> consumer) {
      this.key = key;
      this.last = Math.max(0, since);
      this.consumer = consumer;
    }

    @Override
    public void onMessage(String text) {
      try {
        int blank = text.indexOf(' ');
        long before = idOf(text.substring(0, Math.max(0, blank)));
        Message message = message(text.substring(blank + 1));
        synchronized (waiting) {
          if (waitingSize >= MOST_WAITING) {
            waiting.clear(); // these messages are read again from the stream
            waitingSize = 0;
            misses(Long.MAX_VALUE);
          }
          waiting.add(message);
          waitingSize += size(message);
          if (before > newest) {
            misses(before);
          }
          newest = Math.max(newest, message.id());
        }
      } catch (IOException e) {
        skipped(key, e); // another program publishes on this channel
        return;
      }
      READERS.execute(isToCatchUp() ? this::catchUpLater : this::deliver);
    }

    @Override
    public void onConnected() {
      synchronized (waiting) {
        if (!begun) {
          return; // subscribe() reads the stream
        }
        misses(Long.MAX_VALUE);
      }
      catchUpAgain();
    }

    /** Records that the stream must be read up to an id. */
    private void misses(long id) {
      missing = Math.max(missing, id);
      behind = true;
    }

    void end() {
      synchronized (waiting) {
        ended = true;
        waiting.clear();
      }
    }

    private boolean isToCatchUp() {
      synchronized (waiting) {
        boolean now = behind && begun && !reading && !ended;
        reading |= now;
        return now;
      }
    }

    private void catchUpLater() {
      try {
        catchUp();
      } catch (IOException | RuntimeException e) {
        synchronized (waiting) {
          reading = false;
        }
        Object ignored = DaemonTimer.after(AGAIN, this::catchUpAgain);
      }
    }

    private void catchUpAgain() {
      if (isToCatchUp()) {
        READERS.execute(this::catchUpLater);
      }
    }

    /** Reads the stored messages until none is missing before those of the channel. */
    void catchUp() throws IOException {
      long from;
      synchronized (waiting) {
        begun = true;
        reading = true;
        from = last;
      }
      while (!isComplete(from)) {
        // A message was lost after the stream was read.
      }
      synchronized (waiting) {
        if (calling) {
          return; // another thread delivers the stored messages
        }
        calling = true;
      }
      deliver(false);
    }

    /**
     * Puts stored messages before the waiting ones. Returns false if messages are still missing.
     */
    private boolean isComplete(long from) throws IOException {
      synchronized (waiting) {
        missing = 0;
      }
      List<Message> messages = new ArrayList<>();
      long kept = read(from, messages);
      synchronized (waiting) {
        if (kept < from) {
          // A new master lacks the newest messages, or Redis has lost its data, or the id is
          // another server's.
          last = newestDelivered(messages);
        }
        newest = Math.max(newest, kept);
        messages.addAll(waiting);
        waiting.clear();
        waiting.addAll(messages);
        behind = missing > kept;
        reading = behind;
        return !behind;
      }
    }

    /** Returns the id of the newest of these messages that the consumer got; 0 for none. */
    private long newestDelivered(List<Message> messages) {
      for (int i = messages.size() - 1; i >= 0; i--) {
        long id = messages.get(i).id();
        if (Arrays.stream(delivered).anyMatch(one -> one == id)) {
          return id;
        }
      }
      return 0;
    }

    /**
     * Reads the stored messages after an id, in parts. Returns the last id of the topic at the
     * first part; later messages arrive on the channel.
     */
    private long read(long from, List<Message> messages) throws IOException {
      long since = from;
      long end = -1;
      while (true) {
        List<?> part = readPart(since);
        long kept = idOf(part.get(0));
        if (since > from && kept < since) { // another master, which lacks the newest messages
          messages.clear();
          since = from;
          end = -1;
          continue;
        }
        end = end < 0 ? kept : end;
        long next = since;
        for (Object text : part.subList(1, part.size())) {
          try {
            Message message = message(String.valueOf(text));
            messages.add(message);
            next = message.id();
          } catch (IOException e) {
            skipped(key, e);
          }
        }
        if (next == since || next >= end) {
          return end;
        }
        since = next;
      }
    }

    private List<?> readPart(long from) throws IOException {
      if (READ.run(redis, key, Long.toString(from)) instanceof List<?> all && !all.isEmpty()) {
        return all;
      }
      throw garbage();
    }

    private void deliver() {
      deliver(true);
    }

    /**
     * Calls the consumer with the waiting messages.
     *
     * @param first true if this thread does not call the consumer yet
     */
    private void deliver(boolean first) {
      for (Message next = next(first); next != null; next = next(false)) {
        Callbacks.accept("a subscriber of a topic", consumer, next);
      }
    }

    /** Returns the next message for the only thread that calls the consumer; null if none. */
    private @Nullable Message next(boolean first) {
      synchronized (waiting) {
        if (first && calling) {
          return null;
        }
        Message next = null;
        while (!behind && !ended && next == null && !waiting.isEmpty()) {
          Message one = waiting.remove();
          waitingSize = Math.max(0, waitingSize - size(one)); // it may be a stored one
          next = one.id() > last ? one : null;
        }
        if (next != null) {
          last = next.id();
          delivered[deliveries] = last;
          deliveries = (deliveries + 1) % MOST_DELIVERED;
        }
        calling = next != null;
        return next;
      }
    }
  }
}
