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
final class CircuitBreaker {

  private static final int FAILURES = 5;
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The number of failed trials after which the connection is replaced. */
  private static final int PATIENCE = 4;

  private final BooleanSupplier trial;
  private final Runnable renewal;
  private final Outage outage;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean open;
  private volatile boolean closed;

  /**
   * Creates a closed breaker.
   *
   * @param trial returns true if the server responds; may wait briefly
   * @param renewal replaces the connection
   * @param outage records when requests are rejected, and when they are accepted again
   */
  CircuitBreaker(BooleanSupplier trial, Runnable renewal, Outage outage) {
    this.trial = trial;
    this.renewal = renewal;
    this.outage = outage;
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
      outage.begin(cause);
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
    Runnable ignored = DaemonTimer.afterBlocking(PAUSE, () -> tryNow(number));
  }

  private void tryNow(int number) {
    if (closed) {
      return;
    }
    if (trial.getAsBoolean()) {
      failures.set(0);
      open = false;
      outage.end();
      return;
    }
    if (number % PATIENCE == 0) {
      renewal.run();
    }
    tryLater(number + 1);
  }
}
