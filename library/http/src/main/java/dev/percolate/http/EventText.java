package dev.percolate.http;

/**
 * Writes server-sent events (HTML section 9.2). No text in an event can start another field or
 * event.
 */
public final class EventText {

  private EventText() {}

  /**
   * Writes an event.
   *
   * @param id the id of the event, which a client sends when it reconnects; empty for none
   * @param event the name of the event; empty for none
   * @param data the data; each of its lines is written as a data field
   * @throws IllegalArgumentException if the id or the name has a line break or NUL
   */
  public static String of(String id, String event, String data) {
    StringBuilder text = new StringBuilder(data.length() + id.length() + event.length() + 32);
    field(text, "id", id);
    field(text, "event", event);
    lines(text, "data: ", data);
    return text.append('\n').toString();
  }

  /**
   * Writes a comment, which clients ignore.
   *
   * @param comment the comment, possibly empty or with several lines
   */
  public static String comment(String comment) {
    StringBuilder text = new StringBuilder(comment.length() + 8);
    lines(text, ": ", comment);
    return text.append('\n').toString();
  }

  /**
   * Writes the time after which a client reconnects.
   *
   * @param millis the time in milliseconds
   */
  public static String retry(long millis) {
    return "retry: " + millis + "\n\n";
  }

  private static void field(StringBuilder text, String name, String value) {
    if (value.isEmpty()) {
      return;
    }
    if (value.chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0)) {
      throw new IllegalArgumentException(
          name + " must not have a line break or NUL, was \"" + LogText.escape(value) + "\"");
    }
    text.append(name).append(": ").append(value).append('\n');
  }

  private static void lines(StringBuilder text, String name, String value) {
    int from = 0;
    for (int at = 0; at < value.length(); at++) {
      char c = value.charAt(at);
      if (c == '\r' || c == '\n') {
        text.append(name).append(value, from, at).append('\n');
        at += c == '\r' && at + 1 < value.length() && value.charAt(at + 1) == '\n' ? 1 : 0;
        from = at + 1;
      }
    }
    text.append(name).append(value, from, value.length()).append('\n');
  }
}
