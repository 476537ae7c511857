package dev.percolate.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compares the values of {@code Origin} headers (RFC 6454), which browsers send. */
public final class Origin {

  private Origin() {}

  /**
   * Returns true if an origin has the host that the request was sent to.
   *
   * @param origin the value of the header
   * @param authority the host of the request, with or without a port; null if unknown
   */
  public static boolean isOf(String origin, @Nullable String authority) {
    String scheme = scheme(origin);
    if (scheme.isEmpty() || authority == null || authority.isEmpty()) {
      return false;
    }
    String host = origin.substring(scheme.length() + 3);
    // A proxy may have terminated TLS, so the scheme of the origin counts for both.
    return isHost(host) && Host.withPort(host, scheme).equals(Host.withPort(authority, scheme));
  }

  /**
   * Returns true if a text is an origin: a scheme and a host in ASCII, without wildcards. The pages
   * of apps and browser extensions have other schemes than {@code https}.
   *
   * @param origin the text, such as {@code https://example.com} or {@code capacitor://localhost}
   */
  public static boolean isValid(String origin) {
    int colon = origin.indexOf("://");
    return Target.isScheme(origin, colon)
        && Host.isValid(origin.substring(colon + 3))
        && origin.chars().noneMatch(c -> c == '*' || c == '%');
  }

  /**
   * Returns an origin as browsers send it (RFC 6454 section 6.2): in lower case, without the
   * default port of {@code http} and {@code https}.
   *
   * @param origin an origin; only the letter case of other text is changed
   */
  public static String normal(String origin) {
    String lower = origin.toLowerCase(Locale.ROOT);
    String port =
        switch (scheme(lower)) {
          case "http" -> ":80";
          case "https" -> ":443";
          default -> "";
        };
    return lower.endsWith(port) ? lower.substring(0, lower.length() - port.length()) : lower;
  }

  private static boolean isHost(String text) {
    return !text.isEmpty() && text.chars().noneMatch(c -> c <= ' ' || "/\\@?#".indexOf(c) >= 0);
  }

  /** Returns the scheme in lower case; empty if it is neither {@code http} nor {@code https}. */
  private static String scheme(String origin) {
    int colon = origin.indexOf("://");
    String scheme = colon < 0 ? "" : origin.substring(0, colon).toLowerCase(Locale.ROOT);
    return scheme.equals("http") || scheme.equals("https") ? scheme : "";
  }
}
