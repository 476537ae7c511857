package dev.percolate.logger;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes lines to an SLF4J logger. Messages without arguments are not searched for placeholders.
 */
record Slf4jTarget(Logger logger) implements LogTarget {

  static LogSink sink(String name) {
    Logger logger = LoggerFactory.getLogger(name);
    return OpenSinks.of(logger, () -> new Slf4jTarget(logger), true);
  }

  /** Returns this target, because each line is a message of its own. */
  @Override
  public LogTarget joining() {
    return this;
  }

  @Override
  public void write(List<? extends CharSequence> lines) {
    for (CharSequence line : lines) {
      int end = line.length();
      boolean ended = end > 0 && line.charAt(end - 1) == '\n';
      logger.info(line.subSequence(0, ended ? end - 1 : end).toString());
    }
  }
}
