package dev.percolate.framework;

import dev.percolate.core.Settings;
import java.lang.System.Logger.Level;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;

/**
 * Warns, once and when a server starts, if nobody has chosen where messages of the library go: they
 * would miss the log of the application.
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
          "nothing is bound to System.Logger, and java.util.logging is not configured: errors and"
              + " warnings go to the console in its format. For SLF4J add"
              + " org.slf4j:slf4j-jdk-platform-logging, for Log4j"
              + " org.apache.logging.log4j:log4j-jpl; or set java.util.logging.config.file");
    }
  }

  /** Tells whether messages go to a backend, or by a configuration of the JDK's own. */
  static boolean isChosen() {
    ClassLoader loader = ClassLoader.getSystemClassLoader();
    return ServiceLoader.load(System.LoggerFinder.class, loader).stream().findAny().isPresent()
        || System.getProperty("java.util.logging.config.file") != null
        || System.getProperty("java.util.logging.config.class") != null
        || ModuleLayer.boot().findModule("java.logging").isEmpty()
        || Console.isReplaced();
  }

  /** Apart, as an image of the JDK may lack the module. */
  private static final class Console {

    /** Tells whether a program has other handlers, as bridges have, than the one by default. */
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
