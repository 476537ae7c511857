package dev.percolate.redis;

import dev.percolate.engine.DaemonTimer;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Keeps requests from waiting for a server that does not answer: after some failures in a row all
 * are refused at once, while the server is tried in the background.
 */
final class Breaker {

  private static final int FAILURES = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** How many trials may fail until the connection is made anew. */
  private static final int PATIENCE = 4;

  private final BooleanSupplier trial;
  private final Runnable renewal;
  private final Absence absence;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean open;
  private volatile boolean closed;

  /**
   * Creates one.
   *
   * @param trial tells whether the server answers; may wait a short while
   * @param renewal makes the connection anew
   * @param absence records when requests are rejected, and when they are accepted again
   */
  Breaker(BooleanSupplier trial, Runnable renewal, Absence absence) {
    this.trial = trial;
    this.renewal = renewal;
    this.absence = absence;
  }

  /** Tells whether requests are refused. */
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
