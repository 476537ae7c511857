package dev.percolate.redis;

import dev.percolate.http.LogText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Notes since when something of Redis is away: one warning with its cause, one line at the end. */
final class Absence {

  private static final System.Logger LOG = System.getLogger("dev.percolate.redis");
  private static final int SHOWN = 160;

  private final String begins;
  private final String ends;
  private @Nullable String cause;
  private long since;

  /**
   * Creates one.
   *
   * @param begins the warning, which the cause follows
   * @param ends the line at the end, which the seconds follow
   */
  Absence(String begins, String ends) {
    this.begins = begins;
    this.ends = ends;
  }

  synchronized void begin(Throwable error) {
    if (cause == null) {
      cause = reason(error);
      since = System.nanoTime();
      LOG.log(Level.WARNING, begins + ": " + cause);
    }
  }

  synchronized void end() {
    if (cause != null) {
      LOG.log(Level.INFO, ends + " after " + millis() + " ms");
      cause = null;
    }
  }

  /** Returns for how many milliseconds it has been away; 0 while it is there. */
  synchronized long millis() {
    return cause == null
        ? 0
        : Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
  }

  /** Returns the message of the first cause, and its kind if that says more, on one line. */
  static String reason(Throwable error) {
    Throwable first = error;
    while (first.getCause() != null) {
      first = first.getCause();
    }
    String message = first.getMessage();
    String kind = first.getClass().getSimpleName();
    boolean ours = first.getClass() == IOException.class || first instanceof RedisError;
    String text = LogText.escape(message == null ? kind : ours ? message : kind + ": " + message);
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
  }
}
