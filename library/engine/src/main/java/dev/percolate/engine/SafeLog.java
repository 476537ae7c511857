package dev.percolate.engine;

import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Logs from threads that must continue. A logger may fail if memory or file descriptors run out.
 * Such a failure is ignored, since it cannot be reported.
 */
public final class SafeLog {

  private SafeLog() {}

  /**
   * Logs a failure. Never throws.
   *
   * @param log the logger
   * @param level the level
   * @param text the message, a constant that needs no memory
   * @param cause the failure
   */
  public static void log(System.Logger log, Level level, String text, @Nullable Throwable cause) {
    try {
      log.log(level, text, cause);
    } catch (Throwable e) {
      // logging fails too; the thread must continue
    }
  }
}
