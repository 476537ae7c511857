package dev.percolate.redis;

import dev.percolate.engine.DaemonTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * A circuit breaker for a server that does not respond. After several failures in a row it rejects
 * all requests, and checks the server in the background.
 */
final class Breaker {

  private static final int FAILURES = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The number of failed trials after which the connection is replaced. */
  private static final int PATIENCE = 4;

  private final BooleanSupplier trial;
  private final Runnable renewal;
  private final Absence absence;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean open;
  private volatile boolean closed;

  /**
   * Creates a closed breaker.
   *
   * @param trial returns true if the server responds; may wait briefly
   * @param renewal replaces the connection
   * @param absence records when requests are rejected, and when they are accepted again
   */
  Breaker(BooleanSupplier trial, Runnable renewal, Absence absence) {
    this.trial = trial;
    this.renewal = renewal;
    this.absence = absence;
  }

  /** Returns true if requests are rejected. */
  boolean isOpen() {
    return open;
  }

  void succeeded() {
    if (failures.get() != 0) {
      failures.set(0);
    }
  }

  void failed(IOException cause) {
    if (failures.incrementAndGet() >= FAILURES) {
      open(cause);
    }
  }

  /** Rejects requests from now on, until the server responds. */
  void open(IOException cause) {
    if (beginTrials()) {
      absence.begin(cause);
      tryLater(1);
    }
  }

  /** Ends the trials. */
  void close() {
    closed = true;
  }

  private synchronized boolean beginTrials() {
    boolean begins = !open && !closed;
    open = open || begins;
    return begins;
  }

  private void tryLater(int number) {
    Runnable ignored = DaemonTimer.after(PAUSE, () -> tryNow(number));
  }

  private void tryNow(int number) {
    if (closed) {
      return;
    }
    if (trial.getAsBoolean()) {
      failures.set(0);
      open = false;
      absence.end();
      return;
    }
    if (number % PATIENCE == 0) {
      renewal.run();
    }
    tryLater(number + 1);
  }
}
