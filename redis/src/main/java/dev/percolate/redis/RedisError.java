package dev.percolate.redis;

import java.io.IOException;

/** Says that Redis is there, and has refused a command. */
public final class RedisError extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 120;

  /**
   * Creates one.
   *
   * @param message what Redis says, such as {@code OOM command not allowed …}
   */
  public RedisError(String message) {
    super(message.length() > SHOWN ? message.substring(0, SHOWN) : message);
  }

  /** Returns the first word of the message, which names the kind of error. */
  String code() {
    String text = String.valueOf(getMessage());
    int end = text.indexOf(' ');
    return end < 0 ? text : text.substring(0, end);
  }

  /** Tells whether the server cannot serve for the moment, whatever it is asked. */
  boolean isAway() {
    return switch (code()) {
      case "LOADING", "MASTERDOWN", "CLUSTERDOWN" -> true;
      default -> false;
    };
  }
}
