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
    boolean plain =
        !host.isEmpty() && host.chars().noneMatch(c -> c <= ' ' || "/\\@?#".indexOf(c) >= 0);
    // A proxy may have terminated TLS, so the scheme of the origin counts for both.
    return plain && Host.withPort(host, scheme).equals(Host.withPort(authority, scheme));
  }

  /**
   * Returns true if a text is an origin: a scheme, {@code http} or {@code https}, and a host.
   *
   * @param origin the text, such as {@code https://example.com}
   */
  public static boolean isValid(String origin) {
    String scheme = scheme(origin);
    return !scheme.isEmpty() && isOf(origin, origin.substring(scheme.length() + 3));
  }

  /** Returns the scheme in lower case; empty if it is neither {@code http} nor {@code https}. */
  private static String scheme(String origin) {
    int colon = origin.indexOf("://");
    String scheme = colon < 0 ? "" : origin.substring(0, colon).toLowerCase(Locale.ROOT);
    return scheme.equals("http") || scheme.equals("https") ? scheme : "";
  }
}
