package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Checks the {@code Referer} header (RFC 9110 section 10.1.3) before a redirect to it. */
public final class Referrer {
  private Referrer() {}

  /**
   * Returns true if a referrer is on the same site as the request. It must be a path that begins
   * with a slash, or an http or https URL with the same host and port, in any letter case.
   *
   * @param referrer the value of the header
   * @param protocol the protocol of the request, {@code http} or {@code https}
   * @param host the host of the request, with its port unless that is the default; null if unknown
   */
  public static boolean isSameSite(String referrer, String protocol, @Nullable String host) {
    // Browsers remove tabs and line breaks, which may join slashes.
    if (referrer.chars().anyMatch(c -> c < ' ' || c == 0x7F)) {
      return false;
    }
    if (referrer.startsWith("/")) {
      return !referrer.startsWith("//") && !referrer.startsWith("/\\");
    }
    int colon = referrer.indexOf("://");
    String scheme = colon < 0 ? "" : referrer.substring(0, colon);
    if (host == null || !(scheme.equalsIgnoreCase("http") || scheme.equalsIgnoreCase("https"))) {
      return false;
    }
    int start = colon + 3;
    String authority = referrer.substring(start, Ascii.firstOf("/?#", referrer, start));
    // Programs disagree about which part of such an authority is the host.
    boolean plain =
        !authority.isEmpty() && authority.indexOf('@') < 0 && authority.indexOf('\\') < 0;
    return plain && Host.withPort(authority, scheme).equals(Host.withPort(host, protocol));
  }
}
