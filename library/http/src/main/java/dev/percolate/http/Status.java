package dev.percolate.http;

/** The status codes of HTTP (RFC 9110 section 15). */
public final class Status {
  private static final String[] PHRASES = new String[512];

  static {
    name(100, "Continue", "Switching Protocols", "Processing", "Early Hints");
    name(200, "OK", "Created", "Accepted", "Non-Authoritative Information", "No Content");
    name(205, "Reset Content", "Partial Content", "Multi-Status", "Already Reported");
    name(226, "IM Used");
    name(300, "Multiple Choices", "Moved Permanently", "Found", "See Other", "Not Modified");
    name(305, "Use Proxy");
    name(307, "Temporary Redirect", "Permanent Redirect");
    name(400, "Bad Request", "Unauthorized", "Payment Required", "Forbidden", "Not Found");
    name(405, "Method Not Allowed", "Not Acceptable", "Proxy Authentication Required");
    name(408, "Request Timeout", "Conflict", "Gone", "Length Required", "Precondition Failed");
    name(413, "Payload Too Large", "URI Too Long", "Unsupported Media Type");
    name(416, "Range Not Satisfiable", "Expectation Failed", "I'm a Teapot");
    name(421, "Misdirected Request", "Unprocessable Entity", "Locked", "Failed Dependency");
    name(425, "Too Early", "Upgrade Required");
    name(428, "Precondition Required", "Too Many Requests");
    name(431, "Request Header Fields Too Large");
    name(451, "Unavailable For Legal Reasons");
    name(500, "Internal Server Error", "Not Implemented", "Bad Gateway", "Service Unavailable");
    name(504, "Gateway Timeout", "HTTP Version Not Supported", "Variant Also Negotiates");
    name(507, "Insufficient Storage", "Loop Detected", "Bandwidth Limit Exceeded");
    name(510, "Not Extended", "Network Authentication Required");
  }

  private Status() {}

  /**
   * Returns the reason phrase of a status code, such as {@code Not Found}.
   *
   * @param code the status code
   * @return the reason phrase; empty if the code is unknown
   */
  public static String phrase(int code) {
    return isKnown(code) ? PHRASES[code] : "";
  }

  /**
   * Returns true if a status code has a reason phrase.
   *
   * @param code the status code
   */
  public static boolean isKnown(int code) {
    return code >= 0 && code < PHRASES.length && PHRASES[code] != null;
  }

  /**
   * Returns true if a response with this status code may have a body.
   *
   * @param code the status code
   * @return false for 1xx, 204, 205 and 304
   */
  public static boolean hasBody(int code) {
    return code != 204 && code != 205 && code != 304 && (code < 100 || code > 199);
  }

  private static void name(int first, String... phrases) {
    System.arraycopy(phrases, 0, PHRASES, first, phrases.length);
  }
}
