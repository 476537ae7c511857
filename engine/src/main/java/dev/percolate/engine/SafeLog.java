package dev.percolate.engine;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Logs from threads that must go on. A logger may itself fail where memory or files are short; that
 * failure is dropped, because there is no other place for it.
 */
public final class SafeLog {

  private SafeLog() {}

  /**
   * Logs a failure. Never throws.
   *
   * @param log the logger
   * @param level the level
   * @param text what happened; a constant, so that it needs no memory
   * @param cause the failure
   */
  public static void log(System.Logger log, Level level, String text, @Nullable Throwable cause) {
    try {
      log.log(level, text, cause);
    } catch (Throwable e) {
      // the log fails as well, and the thread must go on
    }
  }
}
