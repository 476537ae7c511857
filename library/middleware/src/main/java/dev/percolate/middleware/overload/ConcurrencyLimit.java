package dev.percolate.middleware.overload;

/**
 * The maximum number of concurrent requests, adapted to measured throughput and latency. By
 * Little's law, their product is the number of requests at which the application is busy; more only
 * wait inside it. The limit is half as much again, so that the application is never idle.
 *
 * <p>The limit is measured in windows. While requests wait for it, it only grows. If the latency
 * has grown too, one window runs with a third of the limit (a probe): if the latency falls,
 * requests have waited inside the application, and the limit shrinks. If it does not, the
 * application has become slower by itself, and needs more concurrent requests. Not thread-safe.
 */
final class ConcurrencyLimit {

  private static final int INITIAL = 100;
  private static final int SAMPLES = 30;
  private static final long WINDOW_NANOS = 100_000_000;

  /** The shortest time between two probes. */
  private static final long PROBE_NANOS = 50 * WINDOW_NANOS;

  private final boolean fixed;
  private int limit;

  // The current window.
  private long begun;
  private int samples;
  private long nanos;
  private boolean limited;

  /** Requests per nanosecond while requests wait. */
  private double throughput;

  /** The latency of the application without waits, in nanoseconds; 0 if unknown. */
  private double latency;

  /** The latency before the current probe; 0 if there is none. */
  private double before;

  private long probeDue;

  /**
   * Creates a limit.
   *
   * @param fixed the limit; 0 to adapt it
   * @param now the current time in nanoseconds
   */
  ConcurrencyLimit(int fixed, long now) {
    this.fixed = fixed > 0;
    this.limit = fixed > 0 ? fixed : INITIAL;
    this.probeDue = now;
    clear(now);
  }

  int limit() {
    return limit;
  }

  /** Records that a request has to wait. */
  void waits(long now) {
    if (!limited && before == 0) {
      clear(now);
    }
    limited = true;
  }

  /** Records the end of a request. */
  void ended(long start, long now) {
    if (fixed || (before > 0 && start - begun < 0)) {
      return;
    }
    samples++;
    nanos += now - start;
    if (samples >= SAMPLES && (before > 0 || now - begun >= WINDOW_NANOS)) {
      adapt((double) nanos / samples, now);
      clear(now);
    }
  }

  private void adapt(double mean, long now) {
    double lowest = latency == 0 ? mean : Math.min(latency, mean);
    if (before > 0) {
      boolean falls = mean <= 0.75 * before;
      long pause = Math.max(PROBE_NANOS, 20 * (now - begun));
      probeDue = falls && mean < latency ? now : now + pause;
      latency = falls ? lowest : mean;
      before = 0;
      limit = target();
    } else if (limited) {
      throughput = Math.max((double) samples / (now - begun), 0.9 * throughput);
      latency = lowest;
      limit = Math.max(limit, target());
      if (mean > 1.3 * latency && now - probeDue >= 0) {
        before = mean;
        limit = Math.max(1, target() / 3);
      }
    } else {
      latency = (lowest + mean) / 2;
    }
  }

  /** Two more than half as much again, against gaps between a response and the next request. */
  private int target() {
    return (int) Math.ceil(1.5 * throughput * latency) + 2;
  }

  private void clear(long now) {
    begun = now;
    samples = 0;
    nanos = 0;
    limited = false;
  }
}
