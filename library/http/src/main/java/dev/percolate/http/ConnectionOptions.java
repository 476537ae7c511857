package dev.percolate.http;

/**
 * Reads the {@code Connection} header, a list of options for a connection (RFC 9110 section 7.6.1).
 */
public final class ConnectionOptions {
  private static final String NAME = "Connection";
  private static final String CLOSE = "close";
  private static final String KEEP_ALIVE = "keep-alive";
  private static final String UPGRADE = "upgrade";

  private ConnectionOptions() {}

  /**
   * Returns true if the connection closes after this message (RFC 9112 section 9.6).
   *
   * @param headers the headers of a request or response
   * @return true if the options include {@code close}, in any letter case
   */
  public static boolean close(Headers headers) {
    return has(CLOSE, headers);
  }

  /**
   * Returns true if an HTTP/1.0 client asks to keep the connection open after the response (RFC
   * 9112 section 9.3).
   *
   * @param headers the headers of the request
   * @return true if the options include {@code keep-alive}
   */
  public static boolean keepAlive(Headers headers) {
    return has(KEEP_ALIVE, headers);
  }

  /**
   * Returns true if a client asks to switch to another protocol (RFC 9110 section 7.8).
   *
   * @param headers the headers of the request
   * @return true if the options include {@code upgrade}, and the {@code Upgrade} header names a
   *     protocol
   */
  public static boolean upgrade(Headers headers) {
    String protocols = headers.get("Upgrade");
    return protocols != null && !protocols.isBlank() && has(UPGRADE, headers);
  }

  private static boolean has(String option, Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      if (HeaderText.sameName(NAME, headers.name(i)) && has(option, headers.value(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean has(String option, String options) {
    boolean found = false;
    for (int start = 0; !found && start <= options.length(); ) {
      int comma = options.indexOf(',', start);
      int end = comma < 0 ? options.length() : comma;
      found = HeaderText.sameName(option, HeaderText.trim(options, start, end));
      start = end + 1;
    }
    return found;
  }
}
