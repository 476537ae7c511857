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
 * Counts and reports what goes wrong behind an answer, or before a request, where no client would
 * see it.
 *
 * <p>One belongs to each outermost application; any thread may use it. The counters always count;
 * what a developer should see is also logged, by the platform logger {@code dev.percolate}.
 */
public final class ErrorCounters {

  private static final System.Logger LOG = System.getLogger("dev.percolate");

  /** How long the log is quiet about steps that were given up, behind a line about one. */
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
   * @param settings tell whether it runs in development
   */
  public ErrorCounters(Settings settings) {
    this.settings = settings;
  }

  /** Counts the answers that were refused because there was one already. */
  public long secondAnswers() {
    return secondAnswers.sum();
  }

  /** Counts the calls of a {@code next} that had been called before. */
  public long secondNexts() {
    return secondNexts.sum();
  }

  /** Counts the errors that came after their step had passed on, or after the answer. */
  public long lateErrors() {
    return lateErrors.sum();
  }

  /**
   * Counts the requests that nobody answered in time ({@link
   * dev.percolate.engine.ListenOptions#answerTimeout}), and that were answered 503 instead.
   */
  public long unanswered() {
    return unanswered.sum();
  }

  /**
   * Counts the connections that came to an end before TLS was agreed upon, on all servers of the
   * application, as {@link Server#failedHandshakes} does for each.
   */
  public long failedHandshakes() {
    return servers.failedHandshakes();
  }

  /** Counts what goes wrong on a server of the application, too. */
  public void add(Server server) {
    servers.add(server);
  }

  /**
   * Counts the connections that are open on the servers of the application, but for those of
   * engines that do not count them.
   */
  public long connections() {
    return servers.connections();
  }

  /** Returns the servers of the application. */
  RunningServers servers() {
    return servers;
  }

  /** Returns the watch over those requests that nobody has answered. */
  AnswerWatch watch() {
    return watch;
  }

  /** Returns after which time developers are notified of a request without an answer. */
  Duration hangNotice() {
    return Objects.requireNonNull(settings.get(Settings.HANG_NOTICE));
  }

  /** Logs a request without a response, and what it waits for. */
  void hangs(String text) {
    LOG.log(Level.WARNING, text);
  }

  /** Counts and reports a request that nobody has answered in time. */
  void unanswered(String text) {
    unanswered.increment();
    LOG.log(Level.WARNING, text);
  }

  /**
   * Calls those who want to know that a server is being closed and takes no new clients any more;
   * services do, as {@link dev.percolate.engine.Service#draining} is called.
   */
  public void drain() {
    servers.drain();
  }

  /** Reports that a step was lost, since there was no thread that it could run on. */
  void starved(Throwable error, Object request) {
    LOG.log(Level.ERROR, "no thread for a step; the connection is closed: " + request, error);
  }

  /**
   * Reports an error that the default answer tells the client of in general terms only. In
   * production the client's fault is a line of level DEBUG, so that clients do not fill the log; so
   * is what a crowd of clients causes, and what a store causes that is away.
   *
   * @param head method and target
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

  /** Tells whether it runs in development now; it is asked each time, as settings may change. */
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
          "next was called twice by one step; the second call is ignored: " + request,
          new Throwable("the second call"));
    }
  }

  /** Reports what kept an error page from being made as it should, such as a hook that failed. */
  void unmade(Throwable error, Object request) {
    lateErrors.increment();
    LOG.log(Level.ERROR, "an error within an error page: " + request, error);
  }

  /**
   * Reports an error that came after its step had passed on, or after the answer.
   *
   * @param givenUp whether nobody waits for the step any longer
   */
  void late(Throwable error, Object request, boolean givenUp) {
    if (error instanceof ClientGone) {
      return;
    }
    lateErrors.increment();
    if (givenUp) {
      givenUp(error, request);
    } else {
      LOG.log(Level.ERROR, "an error after its step had passed on: " + request, error);
    }
  }

  /**
   * Reports what comes of a step that is no longer waited for, as a rule that its answer is
   * refused. Clients can cause it at will: so it is one line, and not more than one a second.
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
        "a step that took too long has gone on: "
            + request
            + ": "
            + LogText.escape(error.toString())
            + ", "
            + CallSite.of(error)
            + (others == 0 ? "" : "; " + others + " others since the last such line"));
  }
}
