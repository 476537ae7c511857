package dev.percolate.logger;

import dev.percolate.engine.RestartingTask;
import dev.percolate.engine.Shutdown;
import dev.percolate.http.CheckReturnValue;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes lines from any thread and writes them to one target, without ever holding up or failing the
 * one who brings them.
 *
 * <p>Lines wait in a bounded queue; one daemon thread, started with the first line, writes all that
 * wait at once and flushes. When the queue is full, or the target fails, lines are lost and
 * counted, and the platform logger {@code dev.percolate.logger} warns once a minute. Who asks for a
 * sink of the same target while one is open gets that one. The target itself is never closed,
 * unless it is a file that the sink has opened.
 *
 * <pre>
 *   write() --> queue --> writer thread --> target      open
 *   write() ----------------------------> target        closed (and direct sinks always)
 * </pre>
 *
 * <p>Options, each gives a changed copy with a queue of its own:
 *
 * <pre>
 *   capacity  16384   how many lines wait at most, and 512 times as many characters
 *   gather    2 ms    from the first line on, until all that wait are written together
 *   patience  0       how long a caller waits for room in a full queue before its line is lost
 * </pre>
 */
@CheckReturnValue
public final class LogSink implements AutoCloseable {

  private static final int CAPACITY = 16_384;

  /** A batch goes out when it has so many characters, whatever else waits. */
  private static final int BATCH_CHARS = 64 << 10;

  /** While lines gather, nobody pays for waking the writer. */
  private static final Duration GATHER = Duration.ofMillis(2);

  private static final long CLOSING_SECONDS = 10;
  private static final long LATE_SECONDS = 1;

  private final Shared shared;
  private final boolean direct;
  private final int capacity;
  private final QueueBudget room;
  private final long gather;
  private final long patience;
  private final Queue<CharSequence> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean asleep = new AtomicBoolean();
  private final Queue<CountDownLatch> waiting = new ConcurrentLinkedQueue<>();
  private final LossCounter alarm;
  private volatile @Nullable Thread writer;
  private volatile boolean closed;

  /** Whether somebody waited in vain, and nothing was written since. */
  private volatile boolean stalled;

  /** A target, what makes two of them the same, and the lock of those who write to it. */
  private record Shared(Object key, LogTarget target, boolean single, ReentrantLock lock) {

    Shared(Object key, LogTarget target, boolean single) {
      this(key, target, single, new ReentrantLock());
    }

    /** Returns the same target for all lines that wait, where it takes them one by one. */
    Shared together() {
      return single ? new Shared(key, target.joining(), false, lock) : this;
    }
  }

  LogSink(Object key, LogTarget target, boolean single, LossCounter alarm) {
    this(new Shared(key, target, single), false, CAPACITY, GATHER.toNanos(), 0, alarm);
  }

  private LogSink(
      Shared shared, boolean direct, int capacity, long gather, long patience, LossCounter alarm) {
    this.shared = shared;
    this.direct = direct;
    this.capacity = capacity;
    this.room = new QueueBudget(capacity);
    this.gather = gather;
    this.patience = patience;
    this.alarm = alarm;
  }

  /**
   * Returns the sink of the standard output, in UTF-8; a replaced {@code System.out} is followed.
   *
   * @return the shared sink
   */
  public static LogSink stdout() {
    return OpenSinks.of(System.class, () -> LogTarget.stream(() -> System.out), false);
  }

  /**
   * Returns the sink of a stream, which gets many lines by one call, in UTF-8.
   *
   * @param stream the stream
   * @return its sink
   */
  public static LogSink of(OutputStream stream) {
    return stream == System.out
        ? stdout()
        : OpenSinks.of(stream, () -> LogTarget.stream(() -> stream), false);
  }

  /**
   * Returns the sink of a print stream; see {@link #of(OutputStream)}.
   *
   * @param stream the stream
   * @return its sink
   */
  public static LogSink of(PrintStream stream) {
    return of((OutputStream) stream);
  }

  /**
   * Returns the sink of a writer or other appendable, which gets many lines by one call.
   *
   * @param text where the lines go; used by the writer's thread only
   * @return its sink
   */
  public static LogSink of(Appendable text) {
    return OpenSinks.of(text, () -> LogTarget.text(text), false);
  }

  /**
   * Returns the sink of a consumer, which gets one line a call, its line feed included.
   *
   * @param consumer where the lines go; called by the writer's thread only
   * @return its sink
   */
  public static LogSink of(Consumer<? super String> consumer) {
    return OpenSinks.of(consumer, () -> LogTarget.calls(consumer), true);
  }

  /**
   * Returns the sink of a file, in UTF-8; lines are added behind what it holds. The file may be
   * renamed, deleted or replaced meanwhile, as logrotate does: the next lines go to a new one.
   *
   * @param file the file, which is made if there is none
   * @return its sink
   * @throws UncheckedIOException if it cannot be written
   */
  public static LogSink file(Path file) {
    return OpenSinks.of(file.toAbsolutePath().normalize(), () -> FileTarget.open(file), false);
  }

  /**
   * Returns the sink of a file that is rotated, in UTF-8.
   *
   * @param file the file, and when it is rotated
   * @return its sink
   * @throws IllegalArgumentException if the options do not say when
   * @throws IllegalStateException if the file is open with other options
   * @throws UncheckedIOException if the file cannot be written
   */
  public static LogSink rotating(RotatingFile file) {
    RotatingFile.Rules rules = file.rules();
    LogSink sink = OpenSinks.of(rules.file(), () -> openRotating(rules), false);
    if (!(sink.shared.target instanceof RotatingTarget target && target.rules().equals(rules))) {
      throw new IllegalStateException(
          "rotating(" + file + "): the file is open already, with other options");
    }
    return sink;
  }

  /**
   * Returns the sink of a logger of SLF4J, which gets each line as a message of level INFO, without
   * its line feed. It needs org.slf4j:slf4j-api, which the logger does not bring: add it, or a
   * library that does; on the module path, require org.slf4j.
   *
   * @param logger the logger's name, such as {@code access}
   * @return its sink
   * @throws IllegalStateException if SLF4J is missing
   */
  public static LogSink slf4j(String logger) {
    try {
      return Slf4jTarget.sink(logger);
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "slf4j(\"" + logger + "\") needs org.slf4j:slf4j-api; on the module path, org.slf4j", e);
    }
  }

  /**
   * Creates a sink without a queue: the thread that brings a line calls the consumer, one at a
   * time. For tests, and for consumers that never block.
   *
   * @param consumer gets one line a call, its line feed included
   * @return a new sink
   */
  public static LogSink direct(Consumer<? super String> consumer) {
    Shared shared = new Shared(consumer, LogTarget.calls(consumer), true);
    return new LogSink(shared, true, CAPACITY, 0, 0, new LossCounter());
  }

  /**
   * Returns how many lines wait at most; 16,384 unless said.
   *
   * @param lines how many, 1 to 4,194,304
   */
  public LogSink capacity(int lines) {
    if (lines < 1 || lines > 1 << 22) {
      throw new IllegalArgumentException("capacity(" + lines + "): 1 to 4194304 lines");
    }
    return new LogSink(shared, direct, lines, gather, patience, new LossCounter());
  }

  /**
   * Returns how long lines gather, from the first one on, before all that wait are written
   * together; 2 ms unless said. A consumer then gets them by one call. Lines of an {@code
   * immediate} logger, and of a sink that is closed, are written without delay.
   *
   * @param time 1 millisecond to 1 hour
   */
  public LogSink gather(Duration time) {
    if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("gather(" + time + "): 1 millisecond to 1 hour");
    }
    return new LogSink(
        shared.together(), false, capacity, time.toNanos(), patience, new LossCounter());
  }

  /**
   * Returns how long a caller waits for room in a full queue before its line is lost; not at all
   * unless said. Not for servers in event loop mode, where nothing may wait.
   *
   * @param patience at most 10 seconds
   */
  public LogSink patience(Duration patience) {
    if (patience.isNegative() || patience.compareTo(Duration.ofSeconds(10)) > 0) {
      throw new IllegalArgumentException("patience(" + patience + "): 0 to 10 seconds");
    }
    return new LogSink(shared, direct, capacity, gather, patience.toNanos(), new LossCounter());
  }

  /**
   * Takes a line. It is written soon, in the order of the calls of each thread; by a closed sink,
   * before this returns. Never throws.
   *
   * @param line the line, its line feed included
   */
  public void write(String line) {
    take(line);
  }

  /** Takes a line, also one in a builder that nobody else has; see {@link #write}. */
  void take(CharSequence line) {
    if (direct) {
      writeNow(line);
    } else if (room.take(line, patience)) {
      queue.add(line);
      // Read behind the addition: either this sees that the sink was closed, or close sees the
      // line.
      if (closed) {
        flush(LATE_SECONDS);
      } else {
        wake();
      }
    } else {
      alarm.raise(1, "the queue of log lines is full", null);
    }
  }

  /**
   * Returns how many lines were lost, because the queue was full or the target failed.
   *
   * @return how many
   */
  public long lost() {
    return alarm.lost();
  }

  /** Writes all lines that wait, for at most 10 seconds; later ones are written without a queue. */
  @Override
  public void close() {
    closed = true;
    OpenSinks.remove(this);
    LockSupport.unpark(writer);
    flush(CLOSING_SECONDS);
    shared.target.settle();
    alarm.closed();
    Shutdown.remove(Shutdown.Stage.LOG_SINKS, this);
  }

  @Override
  public String toString() {
    return "LogSink[" + shared.key + "]";
  }

  /**
   * Takes a line and returns when it is written, so that it outlives whatever comes next. A target
   * that does not take it within a second is not waited for again until it takes lines.
   */
  void writeThrough(CharSequence line) {
    take(line);
    if (direct || closed || stalled) {
      return;
    }
    CountDownLatch written = new CountDownLatch(1);
    waiting.add(written);
    LockSupport.unpark(writer);
    try {
      if (!written.await(LATE_SECONDS, TimeUnit.SECONDS)) {
        stalled = !closed;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isOpenFor(Object key) {
    Object own = shared.key;
    return !closed && (own == key || (own instanceof Path && own.equals(key)));
  }

  private static LogTarget openRotating(RotatingFile.Rules rules) {
    try {
      return new RotatingTarget(rules, Clock.systemUTC(), new LossCounter());
    } catch (IOException e) {
      throw new UncheckedIOException("at(\"" + rules.file() + "\"): cannot be written", e);
    }
  }

  private void writeNow(CharSequence line) {
    shared.lock.lock();
    try {
      write(List.of(line));
    } finally {
      shared.lock.unlock();
    }
  }

  private void wake() {
    if (!started.get()) {
      start();
    } else if (asleep.get() && asleep.compareAndSet(true, false)) {
      LockSupport.unpark(writer);
    }
  }

  private void start() {
    if (!started.compareAndSet(false, true)) {
      return;
    }
    try {
      Shutdown.add(Shutdown.Stage.LOG_SINKS, this);
      Runnable writing = new RestartingTask("log writer", this::run);
      Thread thread = new Thread(null, writing, "percolate-log", 0, false);
      thread.setDaemon(true);
      writer = thread;
      thread.start();
    } catch (Throwable e) {
      close(); // no thread to be had, or the process ends already: from now on nothing may wait
    }
  }

  private void run() {
    while (!closed) {
      if (isBusy()) {
        gatherLines();
        serve();
        continue;
      }
      asleep.set(true);
      if (!isBusy() && !closed) {
        LockSupport.park(this);
      }
      asleep.set(false);
    }
    flush(CLOSING_SECONDS);
    serve();
  }

  private void gatherLines() {
    long end = System.nanoTime() + gather;
    for (long left = gather; left > 0 && waiting.isEmpty() && !closed; ) {
      LockSupport.parkNanos(this, left);
      left = end - System.nanoTime();
    }
  }

  private boolean isBusy() {
    return !queue.isEmpty() || !waiting.isEmpty();
  }

  /** Writes what waits, and tells those who wait for it; those who come meanwhile are next. */
  private void serve() {
    List<CountDownLatch> served = new ArrayList<>();
    for (CountDownLatch one = waiting.poll(); one != null; one = waiting.poll()) {
      served.add(one);
    }
    drain();
    stalled = false;
    served.forEach(CountDownLatch::countDown);
  }

  /** Writes what waits, on the calling thread, unless the target is busy for longer than so. */
  private void flush(long seconds) {
    boolean interrupted = Thread.interrupted();
    try {
      if (shared.lock.tryLock(seconds, TimeUnit.SECONDS)) {
        try {
          drain();
          shared.target.release();
        } finally {
          shared.lock.unlock();
        }
      } else {
        alarm.raise(0, "the log's target does not take the last lines", null);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (IOException e) {
      alarm.raise(0, "closing the log's target failed", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void drain() {
    boolean more = true;
    while (more) {
      more = drainBatch();
    }
  }

  /** Writes one batch; returns whether more waited than it holds. */
  private boolean drainBatch() {
    shared.lock.lock();
    try {
      List<CharSequence> batch = new ArrayList<>();
      boolean full = poll(batch);
      if (!batch.isEmpty()) {
        write(batch);
      }
      return full;
    } finally {
      shared.lock.unlock();
    }
  }

  private boolean poll(List<CharSequence> batch) {
    int lines = 0;
    int chars = 0;
    boolean full = false;
    try {
      for (CharSequence line; !full && (line = queue.poll()) != null; ) {
        lines++;
        chars += QueueBudget.weight(line);
        batch.add(line);
        full = shared.single || chars >= BATCH_CHARS;
      }
    } catch (Throwable e) { // such as an OutOfMemoryError for the batch
      alarm.raise(lines - batch.size(), "writing log lines failed", e);
    } finally {
      room.free(lines, chars);
    }
    return full;
  }

  private void write(List<CharSequence> lines) {
    try {
      shared.target.write(lines);
      alarm.written();
    } catch (Throwable e) {
      alarm.raise(lines.size(), "writing log lines failed", e);
    }
  }
}
