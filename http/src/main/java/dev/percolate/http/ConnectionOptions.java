package dev.percolate.http;

/** Reads the header Connection, a list of options for one connection (RFC 9110 section 7.6.1). */
public final class ConnectionOptions {
  private static final String NAME = "Connection";
  private static final String CLOSE = "close";

  private ConnectionOptions() {}

  /**
   * Tells whether headers say that the connection ends with their message (RFC 9112 section 9.6).
   *
   * @param headers the headers of a request or an answer
   * @return true when {@code close} is among the options of any line, in any letter case
   */
  public static boolean close(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      if (HeaderText.sameName(NAME, headers.name(i)) && close(headers.value(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean close(String options) {
    boolean found = false;
    for (int start = 0; !found && start <= options.length(); ) {
      int comma = options.indexOf(',', start);
      int end = comma < 0 ? options.length() : comma;
      found = isClose(options, start, end);
      start = end + 1;
    }
    return found;
  }

  private static boolean isClose(String text, int start, int end) {
    int from = start;
    int to = end;
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return to - from == CLOSE.length() && HeaderText.sameName(CLOSE, text.substring(from, to));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
