package dev.percolate.engine.tests;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects warnings and errors of a logger and its children. */
public final class Logged extends Handler implements AutoCloseable {

  private final Logger logger;
  private final List<String> messages = new CopyOnWriteArrayList<>();

  public Logged(String name) {
    logger = Logger.getLogger(name);
    setLevel(Level.WARNING);
    logger.addHandler(this);
  }

  /** Returns the messages with their parameters. */
  public List<String> messages() {
    return messages;
  }

  @Override
  public void publish(LogRecord line) {
    if (isLoggable(line)) {
      messages.add(line.getMessage() + " " + Arrays.toString(line.getParameters()));
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
