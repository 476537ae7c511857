package dev.percolate.middleware.store;

import dev.percolate.core.Response;
import dev.percolate.core.store.StoreUnavailableException;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.RareWarning;
import dev.percolate.engine.ThreadMode;
import dev.percolate.http.LogText;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Logs failures of a store, at most one warning per minute. Shared by all requests of a middleware
 * and by its copies.
 */
public final class StoreFailures {

  private static final System.Logger LOG = System.getLogger("dev.percolate.middleware");
  private static final int SHOWN = 200;
  private static final int MOST_CAUSES = 4;

  private final String what;
  private final Consumer<String> log;
  private final RareWarning warning = new RareWarning();
  private final LongAdder failures = new LongAdder();

  /**
   * Creates the log of a store.
   *
   * @param what the name of the store, such as {@code the session store}
   */
  public StoreFailures(String what) {
    this(what, text -> LOG.log(Level.WARNING, text));
  }

  /** Creates the log of a store, which passes warnings to a consumer. */
  public StoreFailures(String what, Consumer<String> log) {
    this.what = what;
    this.log = log;
  }

  /** Records a failure, and logs a warning if one is due. */
  public void note(Throwable cause) {
    failures.increment();
    if (warning.isDue()) {
      long times = failures.sumThenReset();
      String again = times > 1 ? " (" + times + " times since the last warning)" : "";
      log.accept(what + " failed" + again + ": " + text(cause));
    }
  }

  /** Returns a failure and its causes on one line, each cut to {@link #SHOWN} characters. */
  private static String text(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .map(cause -> LogText.escape(cause.toString()))
        .map(text -> text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text)
        .collect(Collectors.joining("; cause: "));
  }

  /** Logs a failure, sets {@code Retry-After}, and returns the error to throw to the request. */
  public StoreUnavailableException reject(Throwable cause, Response res) {
    if (!res.headersSent()) {
      res.set("Retry-After", Integer.toString(StoreUnavailableException.RETRY_AFTER));
    }
    return reject(cause);
  }

  /** Logs a failure, and returns the error to throw to the caller. */
  public StoreUnavailableException reject(Throwable cause) {
    note(cause);
    return new StoreUnavailableException(what, cause);
  }

  /** Throws if a store blocks threads and the server runs handlers on event loops. */
  public static void checkWaits(boolean waits, Object store, String step, ListenOptions options) {
    if (waits && options.threads() == ThreadMode.EVENT_LOOP) {
      throw new IllegalArgumentException(
          "threads(\"event loop\"): "
              + step
              + ".store("
              + store.getClass().getSimpleName()
              + ") blocks the event loop; use \"virtual\" or \"pool\"");
    }
  }
}
