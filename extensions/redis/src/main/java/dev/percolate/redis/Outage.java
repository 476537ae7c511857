package dev.percolate.redis;

import dev.percolate.http.LogText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Tracks how long a part of Redis is unavailable. Logs one warning with the cause, and one line
 * when it is available again.
 */
final class Outage {

  private static final System.Logger LOG = System.getLogger("dev.percolate.redis");
  private static final int SHOWN = 160;

  /** The maximum number of causes to follow, since causes can form a cycle. */
  private static final int MAX_CAUSES = 32;

  private final String begins;
  private final String ends;
  private @Nullable String cause;
  private long since;

  /**
   * Creates the tracker of one resource.
   *
   * @param begins the text of the warning, followed by the cause
   * @param ends the text of the final line, followed by the duration in milliseconds
   */
  Outage(String begins, String ends) {
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

  /** Returns how long it has been unavailable, in milliseconds; 0 while it is available. */
  synchronized long millis() {
    return cause == null
        ? 0
        : Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
  }

  /**
   * Returns the message of the root cause on one line, with its class name unless the error is our
   * own.
   */
  static String reason(Throwable error) {
    Throwable first = error;
    for (int i = 0; i < MAX_CAUSES && first.getCause() != null; i++) {
      first = first.getCause();
    }
    String message = first.getMessage();
    String kind = first.getClass().getSimpleName();
    boolean ours = first.getClass() == IOException.class || first instanceof RedisException;
    String text = LogText.escape(message == null ? kind : ours ? message : kind + ": " + message);
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
  }
}
