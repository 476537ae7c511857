package dev.percolate.redis;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Thrown when Redis responds to a command with an error. */
public final class RedisException extends IOException {

  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 120;

  /**
   * The prefix of Redis 6 for an error of a command in a script; the original message follows it.
   */
  private static final Pattern OF_SCRIPT = Pattern.compile("user_script: ?\\d+: -?([A-Z]+) ");

  private final String code;

  /**
   * Creates an error from an error reply.
   *
   * @param message the error reply, such as {@code OOM command not allowed …}
   */
  public RedisException(String message) {
    super(message.length() > SHOWN ? message.substring(0, SHOWN) : message);
    Matcher ofScript = OF_SCRIPT.matcher(message);
    this.code = ofScript.find() ? ofScript.group(1) : message.split(" ", 2)[0];
  }

  /** Returns the error code, such as {@code READONLY}. */
  String code() {
    return code;
  }

  /** Returns true if the server is a replica, so this is the wrong server for the command. */
  boolean isOfReplica() {
    return code.equals("READONLY") || code.equals("MASTERDOWN");
  }

  /** Returns true if the server can currently execute no commands at all. */
  boolean isAway() {
    return switch (code) {
      case "LOADING", "MASTERDOWN", "CLUSTERDOWN", "BUSY" -> true;
      default -> false;
    };
  }
}
