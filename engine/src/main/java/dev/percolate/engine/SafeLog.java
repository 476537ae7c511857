package dev.percolate.engine;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Logs from threads that must continue. A logger may itself fail if memory or file descriptors are
 * short; that failure is dropped, because there is no other place to report it.
 */
public final class SafeLog {

  private SafeLog() {}

  /**
   * Logs a failure. Never throws.
   *
   * @param log the logger
   * @param level the level
   * @param text the message; a constant, so that it needs no memory
   * @param cause the failure
   */
  public static void log(System.Logger log, Level level, String text, @Nullable Throwable cause) {
    try {
      log.log(level, text, cause);
    } catch (Throwable e) {
      // the log fails too, and the thread must continue
    }
  }
}
