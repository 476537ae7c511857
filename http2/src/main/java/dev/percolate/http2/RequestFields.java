package dev.percolate.http2;

import dev.percolate.engine.HeadGuard;
import dev.percolate.engine.ListenOptions;
import dev.percolate.http.ContentLength;
import dev.percolate.http.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Takes the lines of a header block, and tells whether they are a request, as RFC 9113 section 8
 * wants it: pseudo headers in front, each once, no others, none of a connection, names in lower
 * case. What they say is the business of {@link HeadGuard}, as with HTTP/1.1.
 *
 * <p>A request for another protocol on a stream (RFC 8441) becomes what it would be over HTTP/1.1:
 * a GET with {@code Upgrade}, so that the same step serves both.
 */
final class RequestFields implements HeaderBlock.Lines {

  /** What a client of HTTP/1.1 makes up to see that it is understood; over HTTP/2 nobody does. */
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
   * Takes the lines of one block.
   *
   * @param trailers whether they come behind a body
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
    if (bytes > options.maxHeaderBytes() + (long) options.maxTarget() + 64) {
      tooLong = true; // what comes is decoded, and dropped
    } else if (!Names.isValue(value)) {
      malformed = "a value that is none";
    } else if (name.startsWith(":")) {
      pseudo(name, value);
    } else {
      begun = true;
      plain(name, value);
    }
  }

  private void pseudo(String name, String value) {
    if (begun || trailers) {
      malformed = "a pseudo header behind others";
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
        malformed = "an unknown pseudo header";
        return;
      }
    }
    if (twice) {
      malformed = "a pseudo header twice";
    }
  }

  private void plain(String name, String value) {
    if (!Names.isName(name)) {
      malformed = "a name that is none";
      return;
    }
    switch (name) {
      case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade" ->
          malformed = "a header of a connection";
      case "te" -> {
        if (!value.equals("trailers")) {
          malformed = "another TE than trailers";
        }
        headers.addReceived(name, value);
      }
      case "content-length" -> {
        long parsed = ContentLength.parse(value);
        if (length >= 0 || parsed < 0 || parsed == Long.MAX_VALUE) {
          malformed = "a length that is none";
        }
        length = parsed;
        headers.addReceived(name, value);
      }
      case "cookie" -> addCookie(value);
      default -> headers.addReceived(name, value);
    }
  }

  /** Puts crumbs of cookies together again (RFC 9113 section 8.2.3). */
  private void addCookie(String value) {
    StringBuilder all = cookies;
    if (all == null) {
      cookies = new StringBuilder(value);
      cookieLine = headers.size();
      headers.addReceived("cookie", value);
    } else {
      all.append("; ").append(value);
    }
  }

  /**
   * Looks at all lines together, now that they are there.
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
      malformed = "a length, and no body";
    }
  }

  private @Nullable String fault() {
    if (method == null || !Names.isToken(method)) {
      return "no method";
    }
    boolean connects = method.equals("CONNECT");
    if (protocol != null && !connects) {
      return "a protocol, and another method than CONNECT";
    }
    if (connects && protocol == null) {
      return scheme == null && path == null && authority != null ? null : "CONNECT to nobody";
    }
    if (protocol != null && length > 0) {
      return "a body in front of another protocol"; // nobody could tell where that begins
    }
    if (scheme == null || path == null) {
      return "no scheme or path";
    }
    if (!scheme.equals("http") && !scheme.equals("https")) {
      return "another scheme";
    }
    if (!path.startsWith("/") && !(path.equals("*") && method.equals("OPTIONS"))) {
      return "a path that is none";
    }
    return hostFault();
  }

  private @Nullable String hostFault() {
    String host = headers.get("host");
    if (authority == null) {
      return host == null || host.isEmpty() ? "no host" : null;
    }
    if (authority.isEmpty()) {
      return "no host";
    }
    boolean differs = headers.all("host").stream().anyMatch(one -> !one.equals(authority));
    return differs ? "two hosts" : null;
  }

  /** Returns what is against the rules; null if nothing is. */
  @Nullable String malformed() {
    return malformed;
  }

  /** Returns the length of the body that it says to have; -1 if it does not. */
  long length() {
    return length;
  }

  /** Tells whether another protocol is asked for on the stream. */
  boolean asksForProtocol() {
    return protocol != null && malformed == null;
  }

  /** Returns the request, however much of it there is. */
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

  /** Returns the status to refuse the request with; 0 if there is nothing to refuse. */
  int refusal(RequestLine request) {
    if (malformed != null) {
      return 400;
    }
    if (tooLong || count > options.maxHeaders() + 6) {
      return path != null && path.length() > options.maxTarget() ? 414 : 431;
    }
    int tooMuch = HeadGuard.tooLong(request.method(), request.target(), request.headers(), options);
    return tooMuch != 0
        ? tooMuch
        : HeadGuard.refusal("2.0", request.method(), request.target(), request.headers(), options);
  }
}
