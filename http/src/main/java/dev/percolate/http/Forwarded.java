package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads from where and how a request came, as far as its proxies are trusted: from X-Forwarded-For,
 * X-Forwarded-Proto and X-Forwarded-Host.
 *
 * <p>Each method asks the trust again. Reports that are not trusted have no effect. Proxies append
 * to these headers, or add a header line of their own: the first protocol and the first host count.
 * A protocol or a host that is malformed is ignored. An entry of X-Forwarded-For may be any text;
 * of an address, port, brackets and quotes are removed ({@link IpText#reported}).
 *
 * @param headers the headers of the request
 * @param peer the address of the connection's other end
 * @param trust decides whom to believe
 */
public record Forwarded(Headers headers, String peer, Trust trust) {

  /** What proxies, tunnels and content networks add, besides {@code X-Forwarded-…}. */
  private static final Set<String> TRACES =
      Set.of(
          "forwarded",
          "via",
          "x-real-ip",
          "x-client-ip",
          "x-cluster-client-ip",
          "x-original-forwarded-for",
          "x-envoy-external-address",
          "x-azure-clientip",
          "x-appengine-user-ip",
          "x-amzn-trace-id",
          "proxy-client-ip",
          "wl-proxy-client-ip",
          "true-client-ip",
          "cf-connecting-ip",
          "cf-ray",
          "fastly-client-ip",
          "fly-client-ip",
          "cdn-loop");

  /**
   * Tells whether headers show that a proxy has passed a request on, trusted or not. A proxy that
   * adds no header cannot be seen.
   *
   * @param headers the headers of the request
   */
  public static boolean isThroughProxy(Headers headers) {
    for (int i = 0; i < headers.size(); i++) {
      String lower = headers.name(i).toLowerCase(Locale.ROOT);
      if (lower.startsWith("x-forwarded") || TRACES.contains(lower)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the address of the client: the farthest that somebody trusted reports.
   *
   * @return the address; that of the peer when it is not trusted or reports none
   */
  public String address() {
    if (!headers.contains("X-Forwarded-For")) {
      return peer; // asked for with each request that is logged
    }
    List<String> chain = chain();
    return chain.get(chain.size() - 1);
  }

  /**
   * Returns the addresses that somebody trusted reports.
   *
   * @return the addresses without that of the peer, the client's first
   */
  public List<String> addresses() {
    List<String> chain = chain();
    List<String> addresses = new ArrayList<>(chain.size());
    for (int i = chain.size() - 1; i > 0; i--) {
      addresses.add(chain.get(i));
    }
    return addresses;
  }

  /**
   * Returns the protocol that the client has used. Schemes are read in any letter case (RFC 3986
   * section 3.1); {@code wss} and {@code ws}, which proxies report of WebSocket handshakes, are
   * {@code https} and {@code http} (RFC 6455 section 11.1).
   *
   * @param own the protocol of the connection
   * @return the first one reported, in lower case, else that of the connection
   */
  public String protocol(String own) {
    String reported = first("X-Forwarded-Proto");
    if (reported == null || !isScheme(reported)) {
      return own;
    }
    String scheme = reported.toLowerCase(Locale.ROOT);
    return switch (scheme) {
      case "ws" -> "http";
      case "wss" -> "https";
      default -> scheme;
    };
  }

  /**
   * Returns the host that the client has asked for.
   *
   * @param own the host that the request itself names, with its port; null for none
   * @return the first one reported, as written, if it is a host; else the own one
   */
  public @Nullable String host(@Nullable String own) {
    String reported = first("X-Forwarded-Host");
    return reported != null && Host.isValid(reported) ? reported : own;
  }

  /** Returns the first entry of a list that the peer has sent; null if it is not trusted. */
  private @Nullable String first(String name) {
    String list = HeaderValue.joined(headers, name);
    if (list == null || !trust.trusts(peer, 0)) {
      return null;
    }
    int start = 0;
    while (start < list.length()) {
      int comma = list.indexOf(',', start);
      int end = comma < 0 ? list.length() : comma;
      String entry = ListText.trim(list.substring(start, end));
      if (!entry.isEmpty()) { // empty entries do not count (RFC 9110 section 5.6.1.2)
        return entry;
      }
      start = end + 1;
    }
    return null;
  }

  /** Returns true if a text is a scheme (RFC 3986 section 3.1). */
  private static boolean isScheme(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
      boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!letter && (i == 0 || !other)) {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Walks from the peer towards the client; the first that is not trusted is the last to count. */
  private List<String> chain() {
    List<String> chain = new ArrayList<>(2);
    chain.add(peer);
    String reported = HeaderValue.joined(headers, "X-Forwarded-For");
    int end = reported == null ? -1 : reported.length();
    while (reported != null && end >= 0) {
      int comma = reported.lastIndexOf(',', end - 1);
      String address = IpText.reported(ListText.withoutBlanks(reported, comma + 1, end));
      if (!address.isEmpty()) {
        int hop = chain.size() - 1;
        if (!trust.trusts(chain.get(hop), hop)) {
          break;
        }
        chain.add(address);
      }
      end = comma;
    }
    return chain;
  }
}
