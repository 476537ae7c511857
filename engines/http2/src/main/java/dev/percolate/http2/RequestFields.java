package dev.percolate.http2;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.ContentLength;
import dev.percolate.http.HeaderText;
import dev.percolate.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Builds a request from the fields of a header block and checks it against RFC 9113 section 8:
 * pseudo-headers come first, each once and none unknown; connection headers are forbidden; names
 * are lowercase. {@link HeadGuard} checks the values, as with HTTP/1.1.
 *
 * <p>A request for another protocol on a stream (RFC 8441) becomes its HTTP/1.1 equivalent, a GET
 * with {@code Upgrade}, so that the same handler serves both.
 */
final class RequestFields implements HeaderBlock.Lines {

  /** The {@code Sec-WebSocket-Key} that HTTP/1.1 requires. HTTP/2 clients send none. */
  private static final String WEBSOCKET_KEY = "AAAAAAAAAAAAAAAAAAAAAA==";

  private final ListenOptions options;
  private final boolean trailers;
  private final Headers headers = new Headers();
  private @Nullable String method;
  private @Nullable String scheme;
  private @Nullable String authority;
  private @Nullable String path;
  private @Nullable String protocol;
  private @Nullable StringBuilder cookies;
  private int cookieLine;
  private boolean begun;
  private @Nullable String malformed;
  private boolean tooLong;
  private int count;
  private long bytes;
  private long length = -1;

  /**
   * Creates the fields of one header block.
   *
   * @param trailers whether the block holds trailers
   */
  RequestFields(ListenOptions options, boolean trailers) {
    this.options = options;
    this.trailers = trailers;
  }

  @Override
  public void line(String name, String value) {
    count++;
    bytes += name.length() + value.length() + 4L;
    if (malformed != null || tooLong) {
      return;
    }
    if (bytes > options.maxHeaderBytes() + (long) options.maxTargetLength() + 64) {
      tooLong = true; // further fields are decoded and discarded
    } else if (!isValue(value)) {
      malformed = "invalid header value";
    } else if (name.startsWith(":")) {
      pseudo(name, value);
    } else {
      begun = true;
      plain(name, value);
    }
  }

  private void pseudo(String name, String value) {
    if (begun || trailers) {
      malformed = "pseudo-header after other headers or in trailers";
      return;
    }
    boolean twice;
    switch (name) {
      case ":method" -> {
        twice = method != null;
        method = value;
      }
      case ":scheme" -> {
        twice = scheme != null;
        scheme = value;
      }
      case ":authority" -> {
        twice = authority != null;
        authority = value;
      }
      case ":path" -> {
        twice = path != null;
        path = value;
      }
      case ":protocol" -> {
        twice = protocol != null;
        protocol = value;
      }
      default -> {
        malformed = "unknown pseudo-header";
        return;
      }
    }
    if (twice) {
      malformed = "repeated pseudo-header";
    }
  }

  private void plain(String name, String value) {
    if (!isName(name)) {
      malformed = "invalid header name";
      return;
    }
    switch (name) {
      case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" ->
          malformed = "connection header";
      case "te" -> {
        if (!value.equals("trailers")) {
          malformed = "te must be trailers";
        }
        headers.addReceived(name, value);
      }
      case "content-length" -> {
        long parsed = ContentLength.parse(value);
        if (length >= 0 || parsed < 0 || parsed == Long.MAX_VALUE) {
          malformed = "invalid or repeated content-length";
        }
        length = parsed;
        headers.addReceived(name, value);
      }
      case "cookie" -> addCookie(value);
      default -> headers.addReceived(name, value);
    }
  }

  /** Joins cookie headers into one (RFC 9113 section 8.2.3). */
  private void addCookie(String value) {
    StringBuilder all = cookies;
    if (all == null) {
      cookies = new StringBuilder(value);
      cookieLine = headers.size();
      headers.addReceived("cookie", value);
    } else {
      all.append("; ").append(value);
      count--; // browsers send a line for each cookie; the limit for bytes applies
    }
  }

  /**
   * Checks the complete set of fields.
   *
   * @param endsStream whether no body follows
   */
  void end(boolean endsStream) {
    StringBuilder all = cookies;
    if (all != null && headers.size() > cookieLine) {
      headers.setUnchecked("cookie", all.toString());
    }
    if (malformed != null || tooLong || trailers) {
      return;
    }
    malformed = fault();
    if (malformed == null && endsStream && length > 0) {
      malformed = "content-length without a body";
    }
  }

  private @Nullable String fault() {
    if (method == null || !HeaderText.isToken(method)) {
      return "missing or invalid :method";
    }
    boolean connects = method.equals("CONNECT");
    if (protocol != null && !connects) {
      return ":protocol requires the method CONNECT";
    }
    if (connects && protocol == null) {
      return scheme == null && path == null && authority != null ? null : "malformed CONNECT";
    }
    if (protocol != null && length > 0) {
      return "upgrade request with a body"; // the start of the protocol would be ambiguous
    }
    if (scheme == null || path == null) {
      return "missing :scheme or :path";
    }
    if (!scheme.equals("http") && !scheme.equals("https")) {
      return ":scheme must be http or https";
    }
    if (!path.startsWith("/") && !(path.equals("*") && method.equals("OPTIONS"))) {
      return "invalid :path";
    }
    return hostFault();
  }

  private @Nullable String hostFault() {
    String host = headers.get("host");
    String named = authority;
    if (named == null) {
      return host == null || host.isEmpty() ? "missing host" : null;
    }
    if (named.isEmpty()) {
      return "empty :authority";
    }
    boolean differs = headers.all("host").stream().anyMatch(one -> !one.equalsIgnoreCase(named));
    return differs ? "host differs from :authority" : null;
  }

  /** Returns the rule that the request violates; null if it is valid. */
  @Nullable String malformed() {
    return malformed;
  }

  /** Returns the value of {@code Content-Length}; -1 if it is absent. */
  long length() {
    return length;
  }

  /** Returns whether the client asks for another protocol on the stream. */
  boolean asksForProtocol() {
    return protocol != null && malformed == null;
  }

  /** Returns the request. Missing parts get defaults. */
  RequestLine request() {
    String target = path == null ? (authority == null ? "/" : authority) : path;
    if (protocol == null) {
      return new RequestLine(method == null ? "GET" : method, target, withHost());
    }
    Headers all = withHost();
    all.addReceived("connection", "Upgrade").addReceived("upgrade", protocol);
    if (protocol.equals("websocket") && !all.contains("sec-websocket-key")) {
      all.addReceived("sec-websocket-key", WEBSOCKET_KEY);
    }
    return new RequestLine("GET", target, all);
  }

  private Headers withHost() {
    if (authority == null) {
      return headers;
    }
    Headers all = new Headers(headers.size() + 1).addReceived("host", authority);
    for (int i = 0; i < headers.size(); i++) {
      if (!headers.name(i).equals("host")) {
        all.addReceived(headers.name(i), headers.value(i));
      }
    }
    return all;
  }

  /** Returns the status code to reject the request with; 0 to accept it. */
  int rejection(RequestLine request) {
    if (malformed != null) {
      return 400;
    }
    if (tooLong || count - 6 > options.maxHeaders()) {
      return path != null && path.length() > options.maxTargetLength() ? 414 : 431;
    }
    int tooMuch = HeadGuard.tooLong(request.method(), request.target(), request.headers(), options);
    return tooMuch != 0
        ? tooMuch
        : HeadGuard.rejection(
            "2.0", request.method(), request.target(), request.headers(), options);
  }

  /** Returns whether a string is a lowercase header name (RFC 9113 section 8.2.1). */
  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 'A' && c <= 'Z') {
        return false;
      }
    }
    return HeaderText.isToken(text);
  }

  /**
   * Returns true for a valid header value: no control characters but tab, and no leading or
   * trailing space or tab.
   */
  private static boolean isValue(String text) {
    int last = text.length() - 1;
    for (int i = 0; i <= last; i++) {
      char c = text.charAt(i);
      if ((c < ' ' && c != '\t') || c == 127) {
        return false;
      }
    }
    return last < 0 || !(isBlank(text.charAt(0)) || isBlank(text.charAt(last)));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
