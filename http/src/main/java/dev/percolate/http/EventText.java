package dev.percolate.http;

/**
 * Writes server-sent events (HTML section 9.2), so that nothing in them can end its line, or begin
 * another event.
 */
public final class EventText {

  private EventText() {}

  /**
   * Writes an event.
   *
   * @param id its id, which a client that comes back names; empty for none
   * @param event its name; empty for none
   * @param data what it says; line feeds and carriage returns in it part its lines, as they do for
   *     the reader
   * @throws IllegalArgumentException if id or name has a line break or NUL
   */
  public static String of(String id, String event, String data) {
    StringBuilder text = new StringBuilder(data.length() + id.length() + event.length() + 32);
    field(text, "id", id);
    field(text, "event", event);
    lines(text, "data: ", data);
    return text.append('\n').toString();
  }

  /**
   * Writes a comment, which clients skip.
   *
   * @param comment the comment, perhaps empty or of several lines
   */
  public static String comment(String comment) {
    StringBuilder text = new StringBuilder(comment.length() + 8);
    lines(text, ": ", comment);
    return text.append('\n').toString();
  }

  /**
   * Writes after which time a client is to come back.
   *
   * @param millis the time, in milliseconds
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
          name + "(\"" + LogText.escape(value) + "\"): has a line break or NUL");
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
