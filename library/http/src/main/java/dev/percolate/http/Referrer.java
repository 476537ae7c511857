package dev.percolate.http;

import java.util.Locale;
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
    if (host == null || !(is(scheme, "http") || is(scheme, "https"))) {
      return false;
    }
    int start = colon + 3;
    int end = start;
    while (end < referrer.length() && "/?#".indexOf(referrer.charAt(end)) < 0) {
      end++;
    }
    String authority = referrer.substring(start, end);
    // Programs disagree about which part of such an authority is the host.
    boolean plain =
        !authority.isEmpty() && authority.indexOf('@') < 0 && authority.indexOf('\\') < 0;
    return plain && withPort(authority, scheme).equals(withPort(host, protocol));
  }

  private static boolean is(String scheme, String name) {
    return scheme.equalsIgnoreCase(name);
  }

  private static String withPort(String authority, String scheme) {
    String lower = authority.toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':', lower.lastIndexOf(']') + 1);
    if (colon >= 0 && colon < lower.length() - 1) {
      return lower;
    }
    String name = colon < 0 ? lower : lower.substring(0, colon);
    return name + (is(scheme, "https") ? ":443" : ":80");
  }
}
