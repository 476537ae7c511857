package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.lang.System.Logger.Level;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;

/**
 * Warns once, at server start, if no logging backend is configured. The log of the application
 * would then lack the messages of the library.
 */
final class LoggingCheck {

  private static final System.Logger LOG = System.getLogger("dev.percolate.framework");
  private static final AtomicBoolean DONE = new AtomicBoolean();

  private LoggingCheck() {}

  static void warn() {
    boolean test = Settings.processEnv().equals("test");
    if (!test && !DONE.getAndSet(true) && !isChosen()) {
      LOG.log(
          Level.WARNING,
          "No logging backend is configured: errors and warnings go to the console, in the format"
              + " of java.util.logging. For SLF4J add org.slf4j:slf4j-jdk-platform-logging, for"
              + " Log4j org.apache.logging.log4j:log4j-jpl; or set"
              + " java.util.logging.config.file");
    }
  }

  /** Returns true if a logging backend or a configuration of java.util.logging exists. */
  static boolean isChosen() {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    return ServiceLoader.load(System.LoggerFinder.class, loader).stream().findAny().isPresent()
        || System.getProperty("java.util.logging.config.file") != null
        || System.getProperty("java.util.logging.config.class") != null
        || ModuleLayer.boot().findModule("java.logging").isEmpty()
        || Console.isReplaced();
  }

  /** A separate class, because the module java.logging may be absent. */
  private static final class Console {

    /** Returns true if the default handler was replaced, for example by a bridge. */
    static boolean isReplaced() {
      Handler[] handlers = Logger.getLogger("").getHandlers();
      Logger own = Logger.getLogger("dev.percolate");
      return handlers.length != 1
          || handlers[0].getClass() != ConsoleHandler.class
          || own.getHandlers().length > 0
          || own.getFilter() != null
          || own.getLevel() != null;
    }
  }
}
