package dev.percolate.jdbc;

import dev.percolate.engine.DaemonTimer;
import dev.percolate.engine.VirtualThreads;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker for a database that does not respond. A request waits for a limited time, even
 * if the data source or a statement hangs. After several failures in a row, all requests are
 * rejected at once, and the database is checked in the background.
 *
 * <p>A driver that waits for its server stops only when its connection is aborted, and a driver
 * that connects cannot be stopped. So the work runs on a separate thread, which the request
 * abandons after the timeout.
 */
final class DatabaseCircuitBreaker {

  private static final int MOST_WAITING = 200;
  private static final int FAILURES = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The time without requests after which a database that is down is no longer checked. */
  private static final Duration QUIET = Duration.ofMinutes(1);

  /** Runs tasks that may block. */
  static final Executor THREADS = VirtualThreads.blockingExecutor("percolate-jdbc-");

  private final DataSource source;
  private final Duration limit;
  private final DatabaseTask.Work<?> trial;
  private final Semaphore places = new Semaphore(MOST_WAITING);
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean answered;
  private volatile long asked;

  /**
   * The reason for rejecting requests; null while they are accepted. Writes are guarded by this.
   */
  private volatile @Nullable IOException away;

  /**
   * Creates the guard of a database.
   *
   * @param limit the maximum time that a request waits. It is doubled until the first success,
   *     since a pool may have to open connections
   * @param trial a short query that succeeds when the database responds again
   */
  DatabaseCircuitBreaker(DataSource source, Duration limit, DatabaseTask.Work<?> trial) {
    this.source = source;
    this.limit = limit;
    this.trial = trial;
  }

  /**
   * Runs work with a connection.
   *
   * @throws IOException if the database fails or takes too long; the work may still be done after a
   *     timeout
   */
  <T extends @Nullable Object> T ask(DatabaseTask.Work<T> work) throws IOException {
    asked = System.nanoTime();
    IOException cause = away;
    if (cause != null) {
      throw new IOException("the database is down; requests fail immediately", cause);
    }
    return run(work);
  }

  private <T extends @Nullable Object> T run(DatabaseTask.Work<T> work) throws IOException {
    if (!places.tryAcquire()) {
      throw new IOException(MOST_WAITING + " requests wait for the database");
    }
    Duration longest = answered ? limit : limit.multipliedBy(2);
    DatabaseTask<T> task = new DatabaseTask<>(source, work, longest, places::release);
    try {
      THREADS.execute(task);
    } catch (Throwable e) {
      places.release();
      throw e;
    }
    try {
      T result = task.get(longest.toNanos(), TimeUnit.NANOSECONDS);
      succeeded();
      return result;
    } catch (TimeoutException e) {
      task.abandon(THREADS);
      throw failed(
          new IOException("the database did not respond within " + longest.toMillis() + " ms"));
    } catch (ExecutionException e) {
      throw failed(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.abandon(THREADS);
      throw new IOException("interrupted while waiting for the database", e);
    }
  }

  private void succeeded() {
    answered = true;
    failures.set(0);
  }

  /** Records a failure, and returns the error to throw. */
  private IOException failed(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
    IOException told =
        failure instanceof SQLException e
            ? SqlFailure.told(e)
            : new IOException("database error", failure);
    if (failure instanceof SQLException e && !SqlFailure.isAway(e)) {
      succeeded();
    } else {
      noteAbsence(failure instanceof IOException late ? late : told);
    }
    return failure instanceof IOException late ? late : told;
  }

  private void noteAbsence(IOException cause) {
    if (failures.incrementAndGet() < FAILURES) {
      return;
    }
    synchronized (this) {
      if (away != null) {
        return;
      }
      away = cause;
    }
    tryLater();
  }

  private void tryLater() {
    Runnable ignored = DaemonTimer.afterBlocking(PAUSE, this::tryNow);
  }

  private void tryNow() {
    if (System.nanoTime() - asked > QUIET.toNanos()) {
      failures.set(FAILURES - 1); // the next request is the trial
      end(null);
      return;
    }
    try {
      Object ignored = run(trial);
      end(null);
    } catch (Throwable e) {
      end(e instanceof IOException cause ? cause : new IOException("database error", e));
      tryLater();
    }
  }

  private synchronized void end(@Nullable IOException cause) {
    away = cause;
  }
}
