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
 * Writes log lines from any thread to one target. By default callers never wait for the target, and
 * its failures never reach them.
 *
 * <p>Lines wait in a bounded queue. A daemon thread, started by the first line, writes all waiting
 * lines at once and flushes. If the queue is full or the target fails, lines are lost and counted.
 * The system logger {@code dev.percolate.logger} then warns at most once a minute. A target has one
 * open sink: opening it again returns that sink. Closing a sink closes its target only if the sink
 * opened the file.
 *
 * <pre>
 *   write() --> queue --> writer thread --> target      open
 *   write() ----------------------------> target        closed (and direct sinks always)
 * </pre>
 *
 * <p>Options; each returns a changed copy with its own queue:
 *
 * <pre>
 *   capacity        16384   the queue capacity in lines; 512 times as many characters
 *   batchDelay      2 ms    the time to collect lines before they are written together
 *   enqueueTimeout  0       how long a caller waits for a full queue before its line is lost
 * </pre>
 */
@CheckReturnValue
public final class LogSink implements AutoCloseable {

  private static final int CAPACITY = 16_384;

  /** The number of characters at which a batch is written even if more lines wait. */
  private static final int BATCH_CHARS = 64 << 10;

  /** How long lines gather. Meanwhile callers do not need to wake the writer. */
  private static final Duration BATCH_DELAY = Duration.ofMillis(2);

  private static final long CLOSING_SECONDS = 10;
  private static final long LATE_SECONDS = 1;

  private final Shared shared;
  private final boolean direct;
  private final int capacity;
  private final QueueBudget room;
  private final long batchDelay;
  private final long enqueueTimeout;
  private final Queue<CharSequence> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean asleep = new AtomicBoolean();
  private final Queue<CountDownLatch> waiting = new ConcurrentLinkedQueue<>();
  private final LossCounter lossCounter;
  private volatile @Nullable Thread writer;
  private volatile boolean closed;

  /** Whether a caller waited in vain and no line has been written since. */
  private volatile boolean stalled;

  /** A target, the key that identifies it, and the lock for writing to it. */
  private record Shared(Object key, LogTarget target, boolean single, ReentrantLock lock) {

    Shared(Object key, LogTarget target, boolean single) {
      this(key, target, single, new ReentrantLock());
    }

    /** Returns a target that gets all waiting lines in one call. */
    Shared together() {
      return single ? new Shared(key, target.joining(), false, lock) : this;
    }
  }

  LogSink(Object key, LogTarget target, boolean single, LossCounter lossCounter) {
    this(new Shared(key, target, single), false, CAPACITY, BATCH_DELAY.toNanos(), 0, lossCounter);
  }

  private LogSink(
      Shared shared,
      boolean direct,
      int capacity,
      long batchDelay,
      long enqueueTimeout,
      LossCounter lossCounter) {
    this.shared = shared;
    this.direct = direct;
    this.capacity = capacity;
    this.room = new QueueBudget(capacity);
    this.batchDelay = batchDelay;
    this.enqueueTimeout = enqueueTimeout;
    this.lossCounter = lossCounter;
  }

  /**
   * Opens the sink of standard output, in UTF-8. If {@code System.out} is replaced, lines go to the
   * new stream.
   *
   * @return the shared sink
   */
  public static LogSink stdout() {
    return OpenSinks.of(System.class, () -> LogTarget.stream(() -> System.out), false);
  }

  /**
   * Opens the sink of a stream, in UTF-8. The stream gets several lines in one call.
   *
   * @param stream the stream
   * @return the shared sink
   */
  public static LogSink of(OutputStream stream) {
    return stream == System.out
        ? stdout()
        : OpenSinks.of(stream, () -> LogTarget.stream(() -> stream), false);
  }

  /**
   * Opens the sink of a print stream. See {@link #of(OutputStream)}.
   *
   * @param stream the stream
   * @return the shared sink
   */
  public static LogSink of(PrintStream stream) {
    return of((OutputStream) stream);
  }

  /**
   * Opens the sink of a writer or another appendable. It gets several lines in one call.
   *
   * @param text receives the lines, on the writer thread only
   * @return the shared sink
   */
  public static LogSink of(Appendable text) {
    return OpenSinks.of(text, () -> LogTarget.text(text), false);
  }

  /**
   * Opens the sink of a consumer. It gets one line per call, including its line feed.
   *
   * @param consumer receives the lines, on the writer thread only
   * @return the shared sink
   */
  public static LogSink of(Consumer<? super String> consumer) {
    return OpenSinks.of(consumer, () -> LogTarget.calls(consumer), true);
  }

  /**
   * Opens the sink of a file, in UTF-8. Lines are appended. Tools such as logrotate may rename,
   * delete or replace the file; later lines then go to a new file.
   *
   * @param file the file, created if it does not exist
   * @return the shared sink
   * @throws UncheckedIOException if the file cannot be written
   */
  public static LogSink file(Path file) {
    Path key = file.toAbsolutePath().normalize();
    return OpenSinks.of(key, () -> open(RotatingFile.Rules.none(file)), false);
  }

  /**
   * Opens the sink of a rotated file, in UTF-8.
   *
   * @param file the file and its rotation options
   * @return the shared sink
   * @throws IllegalArgumentException if the options set neither a period nor a maximum size
   * @throws IllegalStateException if the file is open with other options
   * @throws UncheckedIOException if the file cannot be written
   */
  public static LogSink rotating(RotatingFile file) {
    RotatingFile.Rules rules = file.rules();
    LogSink sink = OpenSinks.of(rules.file(), () -> open(rules), false);
    if (!(sink.shared.target instanceof FileTarget target && target.rules().equals(rules))) {
      throw new IllegalStateException(
          "cannot open " + file + " because it is already open with other options");
    }
    return sink;
  }

  /**
   * Opens the sink of an SLF4J logger, which gets each line as an INFO message without its line
   * feed. Add {@code org.slf4j:slf4j-api} to the application. On the module path, also require
   * {@code org.slf4j}.
   *
   * @param logger the name of the logger, such as {@code access}
   * @return the shared sink
   * @throws IllegalStateException if SLF4J is missing
   */
  public static LogSink slf4j(String logger) {
    try {
      return Slf4jTarget.sink(logger);
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "slf4j(\"" + logger + "\") needs org.slf4j:slf4j-api. Modules must require org.slf4j.",
          e);
    }
  }

  /**
   * Creates a sink without a queue. The thread that writes a line calls the consumer. Calls do not
   * overlap. For tests, and for consumers that never block.
   *
   * @param consumer receives one line per call, including its line feed
   * @return a new sink
   */
  public static LogSink direct(Consumer<? super String> consumer) {
    Shared shared = new Shared(consumer, LogTarget.calls(consumer), true);
    return new LogSink(shared, true, CAPACITY, 0, 0, new LossCounter());
  }

  /**
   * Sets the queue capacity, in lines. Default: 16,384.
   *
   * @param lines 1 to 4,194,304
   */
  public LogSink capacity(int lines) {
    if (lines < 1 || lines > 1 << 22) {
      throw new IllegalArgumentException("capacity must be 1 to 4194304 lines, was " + lines);
    }
    return new LogSink(shared, direct, lines, batchDelay, enqueueTimeout, new LossCounter());
  }

  /**
   * Sets how long lines gather before they are written together. Default: 2 ms. A consumer then
   * gets them in one call. Lines are written without delay if the queue is half full, the sink is
   * closed, or the logger is {@code immediate}.
   *
   * @param time 1 millisecond to 1 hour
   */
  public LogSink batchDelay(Duration time) {
    if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException("batchDelay must be 1 millisecond to 1 hour, was " + time);
    }
    return new LogSink(
        shared.together(), false, capacity, time.toNanos(), enqueueTimeout, new LossCounter());
  }

  /**
   * Sets how long a caller waits for a full queue before its line is lost. Default: 0. Do not use
   * it in event-loop mode, where callers must not wait.
   *
   * @param enqueueTimeout at most 10 seconds
   */
  public LogSink enqueueTimeout(Duration enqueueTimeout) {
    if (enqueueTimeout.isNegative() || enqueueTimeout.compareTo(Duration.ofSeconds(10)) > 0) {
      throw new IllegalArgumentException(
          "enqueueTimeout must be 0 to 10 seconds, was " + enqueueTimeout);
    }
    return new LogSink(
        shared, direct, capacity, batchDelay, enqueueTimeout.toNanos(), new LossCounter());
  }

  /**
   * Queues a line. Lines of one thread stay in order. A closed sink writes the line before this
   * method returns. Never throws.
   *
   * @param line the line, including its line feed
   */
  public void write(String line) {
    take(line);
  }

  /** Queues a line, which may be a builder that the caller no longer uses. See {@link #write}. */
  void take(CharSequence line) {
    if (direct) {
      writeNow(line);
    } else if (room.take(line, enqueueTimeout)) {
      queue.add(line);
      // Read after the addition: either this thread sees the closing, or close sees the line.
      if (closed) {
        flush(LATE_SECONDS);
      } else {
        wake();
      }
    } else {
      lossCounter.raise(1, "the log queue is full", null);
    }
  }

  /**
   * Returns the number of lines that were lost because the queue was full or the target failed.
   *
   * @return the number of lost lines
   */
  public long lostLines() {
    return lossCounter.lost();
  }

  /** Writes all waiting lines, for at most 10 seconds. Later lines are written without a queue. */
  @Override
  public void close() {
    closed = true;
    OpenSinks.remove(this);
    LockSupport.unpark(writer);
    flush(CLOSING_SECONDS);
    shared.target.settle();
    lossCounter.closed();
    Shutdown.remove(Shutdown.Stage.LOG_SINKS, this);
  }

  @Override
  public String toString() {
    return "LogSink[" + shared.key + "]";
  }

  /**
   * Writes a line and waits until it is written, for at most one second. After that has failed, no
   * caller waits until the target accepts lines again.
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

  private static LogTarget open(RotatingFile.Rules rules) {
    try {
      return new FileTarget(rules, Clock.systemUTC(), new LossCounter());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to the log file \"" + rules.file() + "\"", e);
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
    } else if (room.isHalfFull() || (asleep.get() && asleep.compareAndSet(true, false))) {
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
      close(); // no thread available, or the process is ending: write without a queue
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
    long end = System.nanoTime() + batchDelay;
    while (System.nanoTime() < end && waiting.isEmpty() && !closed && !room.isHalfFull()) {
      LockSupport.parkNanos(this, end - System.nanoTime());
    }
  }

  private boolean isBusy() {
    return !queue.isEmpty() || !waiting.isEmpty();
  }

  /** Writes all waiting lines and releases their callers. */
  private void serve() {
    List<CountDownLatch> served = new ArrayList<>();
    for (CountDownLatch one = waiting.poll(); one != null; one = waiting.poll()) {
      served.add(one);
    }
    drain();
    stalled = false;
    served.forEach(CountDownLatch::countDown);
  }

  /**
   * Writes all waiting lines on the calling thread, unless the target stays busy for the given
   * time.
   */
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
        lossCounter.raise(0, "the log target did not accept the last lines", null);
      }
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (IOException e) {
      lossCounter.raise(0, "closing the log target failed", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Writes all waiting lines, batch by batch. */
  private void drain() {
    boolean more = true;
    while (more) {
      shared.lock.lock();
      try {
        List<CharSequence> batch = new ArrayList<>();
        more = poll(batch);
        if (!batch.isEmpty()) {
          write(batch);
        }
      } finally {
        shared.lock.unlock();
      }
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
      lossCounter.raise(lines - batch.size(), "writing log lines failed", e);
    } finally {
      room.free(lines, chars);
    }
    return full;
  }

  private void write(List<CharSequence> lines) {
    try {
      shared.target.write(lines);
      lossCounter.written();
    } catch (Throwable e) {
      lossCounter.raise(lines.size(), "writing log lines failed", e);
    }
  }
}
