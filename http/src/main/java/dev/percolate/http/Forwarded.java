package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells from where and how a request came, as far as its proxies are trusted: by X-Forwarded-For,
 * X-Forwarded-Proto and X-Forwarded-Host.
 *
 * <p>Each answer asks the trust anew. What is not believed has no effect, and what is believed is
 * given as it was written: an address need not be one.
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
   * Returns the protocol that the client has used.
   *
   * @param own the protocol of the connection
   * @return the first one reported, as written, else that of the connection
   */
  public String protocol(String own) {
    boolean trusted = trust.trusts(peer, 0);
    String reported = trusted ? HeaderValue.joined(headers, "X-Forwarded-Proto") : null;
    if (reported == null || reported.isEmpty()) {
      return own;
    }
    int comma = reported.indexOf(',');
    int end = comma < 0 ? reported.length() : comma;
    while (comma >= 0 && end > 0 && ListText.isSpace(reported.charAt(end - 1))) {
      end--;
    }
    return reported.substring(0, end);
  }

  /**
   * Returns the host that the client has asked for.
   *
   * @param own the host that the request itself names, with its port; null for none
   * @return the host reported, as written, else the own one
   */
  public @Nullable String host(@Nullable String own) {
    String reported = HeaderValue.joined(headers, "X-Forwarded-Host");
    boolean present = reported != null && !reported.isEmpty();
    return present && trust.trusts(peer, 0) ? reported : own;
  }

  /** Walks from the peer towards the client; the first that is not trusted is the last to count. */
  private List<String> chain() {
    List<String> chain = new ArrayList<>(2);
    chain.add(peer);
    String reported = HeaderValue.joined(headers, "X-Forwarded-For");
    int end = reported == null ? -1 : reported.length();
    while (reported != null && end >= 0) {
      int comma = reported.lastIndexOf(',', end - 1);
      String address = ListText.withoutBlanks(reported, comma + 1, end);
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
