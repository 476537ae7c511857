package dev.percolate.core;

import dev.percolate.engine.CallSite;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Logs the errors of one application that no client can see, with the platform logger {@code
 * dev.percolate}. Also counts them.
 */
final class ErrorLog {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** The minimum time between two log entries about handlers that were given up. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Settings settings;
  private final AppCounters counters;
  private final LongSupplier nanos;
  private final AtomicLong quietUntil;
  private final AtomicLong unsaid = new AtomicLong();

  /**
   * Creates the log of one application.
   *
   * @param nanos returns nanoseconds, like {@link System#nanoTime}
   */
  ErrorLog(Settings settings, AppCounters counters, LongSupplier nanos) {
    this.settings = settings;
    this.counters = counters;
    this.nanos = nanos;
    this.quietUntil = new AtomicLong(nanos.getAsLong());
  }

  /** Logs a request without a response, and what it waits for. */
  void hangs(String text) {
    LOG.log(Level.WARNING, text);
  }

  /** Counts and logs a request that had no response in time. */
  void unanswered(String text) {
    counters.responseTimeouts.increment();
    LOG.log(Level.WARNING, text);
  }

  /** Logs that a handler could not run because there was no thread. */
  void starved(Throwable error, Object request) {
    LOG.log(Level.ERROR, "no thread for a handler, connection closed: " + request, error);
  }

  /**
   * Logs an error whose default response has no details. In production, errors of clients are
   * logged at level DEBUG, so that clients cannot fill the log. The same applies to overload and
   * unavailable stores.
   *
   * @param head the method and target of the request
   */
  void unhandled(Throwable error, int status, String head) {
    Object env = settings.get("env");
    boolean production = "production".equals(env == null ? Settings.processEnv() : env);
    Level level = production ? Level.DEBUG : Level.INFO;
    boolean temporary = error instanceof HttpError http && http.field("retryAfter") != null;
    boolean known = BodyErrors.isMemoryUnavailable(error) || temporary;
    boolean ours = status >= 500 && !known;
    if (ours || !(error instanceof HttpError)) {
      LOG.log(Level.ERROR, head, error);
    } else if (LOG.isLoggable(level)) {
      LOG.log(level, head + ": " + LogText.escape(String.valueOf(error.getMessage())));
    }
  }

  /** Counts a second call of a {@code next}, and logs it in development. */
  void secondNext(Object request) {
    counters.duplicateNextCalls.increment();
    if (settings.isDevelopment()) {
      Throwable second = new Throwable("second call");
      LOG.log(
          Level.WARNING,
          "next was called twice by one handler, "
              + CallSite.of(second)
              + "; the second call is ignored: "
              + request,
          second);
    }
  }

  /** Counts and logs an error while an error page was created, such as a failed hook. */
  void unmade(Throwable error, Object request) {
    counters.lateErrors.increment();
    LOG.log(Level.ERROR, "creating an error page failed: " + request, error);
  }

  /**
   * Counts and logs an error that came after {@code next} was called, or after the response.
   *
   * @param givenUp whether the response timeout of the request has expired
   */
  void late(Throwable error, Object request, boolean givenUp) {
    if (error instanceof ClientDisconnectedException) {
      return;
    }
    counters.lateErrors.increment();
    if (givenUp) {
      givenUp(error, request);
    } else {
      LOG.log(
          Level.ERROR, "error after next was called or the response was sent: " + request, error);
    }
  }

  /**
   * Logs an error of a handler that was given up; usually its response was rejected. Clients can
   * cause this at will, so it is a single line, at most once per second.
   */
  private void givenUp(Throwable error, Object request) {
    long now = nanos.getAsLong();
    long until = quietUntil.get();
    if (now - until < 0 || !quietUntil.compareAndSet(until, now + QUIET_NANOS)) {
      unsaid.incrementAndGet();
      return;
    }
    long others = unsaid.getAndSet(0);
    LOG.log(
        Level.WARNING,
        "a handler continued after its timeout: "
            + request
            + ": "
            + LogText.escape(error.toString())
            + ", "
            + CallSite.of(error)
            + (others == 0 ? "" : "; " + others + " similar errors since the last entry"));
  }
}
