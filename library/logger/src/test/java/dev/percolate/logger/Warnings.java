package dev.percolate.logger;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the entries of the module in the platform logger. */
final class Warnings extends Handler implements AutoCloseable {

  private static final Logger LOGGER = Logger.getLogger("dev.percolate.logger");

  private final List<String> messages = new CopyOnWriteArrayList<>();

  Warnings() {
    LOGGER.addHandler(this);
  }

  /** Returns the entries that are logged while a task runs. */
  static List<String> during(Runnable task) {
    try (Warnings warnings = new Warnings()) {
      task.run();
      return warnings.messages;
    }
  }

  List<String> messages() {
    return messages;
  }

  @Override
  public void publish(LogRecord line) {
    messages.add(line.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
  }
}
