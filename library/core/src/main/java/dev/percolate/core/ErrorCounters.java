package dev.percolate.core;

import dev.percolate.core.store.StoreUnavailable;
import dev.percolate.engine.CallSite;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.Server;
import dev.percolate.http.BodyErrors;
import dev.percolate.http.HttpError;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts and logs errors after a response or before a request, which no client can see.
 *
 * <p>Each outermost application has one. Thread-safe. Errors are always counted. Those that a
 * developer should see are also logged, with the platform logger {@code dev.percolate}.
 */
public final class ErrorCounters {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** The minimum time between two log entries about handlers that were given up. */
  private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Settings settings;
  private final LongAdder secondAnswers = new LongAdder();
  private final LongAdder secondNexts = new LongAdder();
  private final LongAdder lateErrors = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final AnswerWatch watch = new AnswerWatch();
  private final RunningServers servers = new RunningServers();
  private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
  private final AtomicLong unsaid = new AtomicLong();

  /**
   * Creates the counters of one application.
   *
   * @param settings the settings of the application, including its environment
   */
  public ErrorCounters(Settings settings) {
    this.settings = settings;
  }

  /** Returns the number of responses that were rejected because the request already had one. */
  public long secondAnswers() {
    return secondAnswers.sum();
  }

  /** Returns the number of calls of a {@code next} that had already been called. */
  public long secondNexts() {
    return secondNexts.sum();
  }

  /**
   * Returns the number of errors that came after {@code next} was called, or after the response.
   */
  public long lateErrors() {
    return lateErrors.sum();
  }

  /**
   * Returns the number of requests that got a 503 because they had no response in time. See {@link
   * dev.percolate.engine.ListenOptions#answerTimeout}.
   */
  public long unanswered() {
    return unanswered.sum();
  }

  /**
   * Returns the number of connections that ended before the TLS handshake was complete, on all
   * servers of the application. See {@link Server#failedHandshakes}.
   */
  public long failedHandshakes() {
    return servers.failedHandshakes();
  }

  /** Adds a server of the application. */
  public void add(Server server) {
    servers.add(server);
  }

  /**
   * Returns the number of open connections on the servers of the application. Servers whose engine
   * does not count them are left out.
   */
  public long connections() {
    return servers.connections();
  }

  /** Returns the servers of the application. */
  RunningServers servers() {
    return servers;
  }

  /** Returns the watch for requests without a response. */
  AnswerWatch watch() {
    return watch;
  }

  /** Returns the time after which developers are notified of a request without a response. */
  Duration hangNotice() {
    return Objects.requireNonNull(settings.get(Settings.HANG_NOTICE));
  }

  /** Logs a request without a response, and what it waits for. */
  void hangs(String text) {
    LOG.log(Level.WARNING, text);
  }

  /** Counts and logs a request that had no response in time. */
  void unanswered(String text) {
    unanswered.increment();
    LOG.log(Level.WARNING, text);
  }

  /**
   * Notifies listeners that a server is shutting down and accepts no new clients. Services call it
   * from {@link dev.percolate.engine.Service#draining}.
   */
  public void drain() {
    servers.drain();
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
    boolean known = BodyErrors.isNoRoom(error) || error instanceof StoreUnavailable;
    boolean ours = status >= 500 && !known;
    if (ours || !(error instanceof HttpError)) {
      LOG.log(Level.ERROR, head, error);
    } else if (LOG.isLoggable(level)) {
      LOG.log(level, head + ": " + LogText.escape(String.valueOf(error.getMessage())));
    }
  }

  /** Returns true if the application is in development. Not cached, as settings may change. */
  boolean development() {
    return "development".equals(settings.get(Settings.ENV));
  }

  void secondAnswer() {
    secondAnswers.increment();
  }

  void secondNext(Object request) {
    secondNexts.increment();
    if (development()) {
      LOG.log(
          Level.WARNING,
          "next was called twice by one handler; the second call is ignored: " + request,
          new Throwable("second call"));
    }
  }

  /** Counts and logs an error while an error page was created, such as a failed hook. */
  void unmade(Throwable error, Object request) {
    lateErrors.increment();
    LOG.log(Level.ERROR, "creating an error page failed: " + request, error);
  }

  /**
   * Counts and logs an error that came after {@code next} was called, or after the response.
   *
   * @param givenUp whether the response timeout of the request has expired
   */
  void late(Throwable error, Object request, boolean givenUp) {
    if (error instanceof ClientGone) {
      return;
    }
    lateErrors.increment();
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
    long now = System.nanoTime();
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
