package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the client's address, protocol and host as trusted proxies report them, in {@code
 * X-Forwarded-For}, {@code X-Forwarded-Proto} and {@code X-Forwarded-Host}.
 *
 * <p>Headers from untrusted peers are ignored. Proxies append to these headers or add another
 * header line, so the first protocol and the first host count; malformed ones are ignored. An entry
 * of {@code X-Forwarded-For} may be any text; port, brackets and quotes are removed from addresses
 * ({@link IpText#reported}). Each method call evaluates the trust again.
 *
 * @param headers the headers of the request
 * @param peer the remote address of the connection
 * @param trust decides which proxies are trusted
 */
public record Forwarded(Headers headers, String peer, Trust trust) {

  /** Headers that proxies, tunnels and CDNs add, besides {@code X-Forwarded-…}. */
  private static final Set<String> TRACES =
      Set.of(
          ("forwarded via x-real-ip x-client-ip x-cluster-client-ip x-original-forwarded-for"
                  + " x-envoy-external-address x-azure-clientip x-appengine-user-ip"
                  + " x-amzn-trace-id proxy-client-ip wl-proxy-client-ip true-client-ip"
                  + " cf-connecting-ip cf-ray fastly-client-ip fly-client-ip cdn-loop")
              .split(" "));

  /**
   * Returns true if a request has headers that proxies add, whether the proxy is trusted or not. A
   * proxy that adds no header is not detected.
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
   * Returns the address of the client: the farthest one reported by a trusted proxy.
   *
   * @return the address; that of the peer if it is not trusted or reports none
   */
  public String address() {
    List<String> chain = chain();
    return chain.get(chain.size() - 1);
  }

  /**
   * Returns the addresses reported by trusted proxies.
   *
   * @return the addresses, the client's first, without that of the peer
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
   * Returns the protocol that the client used. Schemes are case-insensitive (RFC 3986 section 3.1).
   * {@code wss} and {@code ws}, which proxies report for WebSocket handshakes, count as {@code
   * https} and {@code http} (RFC 6455 section 11.1).
   *
   * @param own the protocol of the connection
   * @return the first reported protocol, in lower case; else that of the connection
   */
  public String protocol(String own) {
    String reported = first("X-Forwarded-Proto");
    if (reported == null || !Target.isScheme(reported, reported.length())) {
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
   * Returns the host that the client requested.
   *
   * @param own the host in the request itself, with its port; null if absent
   * @return the first reported host, as written, if it is valid; else {@code own}
   */
  public @Nullable String host(@Nullable String own) {
    String reported = first("X-Forwarded-Host");
    return reported != null && Host.isValid(reported) ? reported : own;
  }

  /** Returns the first entry of a list header; null if the peer is not trusted. */
  private @Nullable String first(String name) {
    String list = HeaderValue.joined(headers, name);
    if (list == null || !trust.trusts(peer, 0)) {
      return null;
    }
    int start = 0;
    while (start < list.length()) {
      int end = Ascii.indexOrEnd(list, ',', start);
      String entry = ListText.trim(list.substring(start, end));
      if (!entry.isEmpty()) { // empty entries are ignored (RFC 9110 section 5.6.1.2)
        return entry;
      }
      start = end + 1;
    }
    return null;
  }

  /** Returns the addresses from the peer towards the client, up to the first untrusted one. */
  private List<String> chain() {
    List<String> chain = new ArrayList<>(2);
    chain.add(peer);
    String reported = HeaderValue.joined(headers, "X-Forwarded-For");
    int end = reported == null ? -1 : reported.length();
    while (reported != null && end >= 0) {
      int comma = reported.lastIndexOf(',', end - 1);
      String address = IpText.reported(HeaderText.trim(reported, comma + 1, end));
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
