package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Validates and splits the host of a request (RFC 9110 section 7.2). */
public final class Host {
  private static final String NAME_MARKS = "-._~!$&'()*+,;=";
  private static final int MAX_PORT = 65535;
  private static final Trust LOOPBACK = Trust.of("loopback");

  private Host() {}

  /**
   * Returns true if a string is a host with or without a port (RFC 3986 section 3.2). The host is a
   * name, an IPv4 address, or an IPv6 address in brackets. A user name before {@code @} is not
   * allowed. An empty string is invalid, since an {@code http} URL needs a host (RFC 9110 section
   * 4.2.1).
   *
   * @param host the value of a Host header
   */
  public static boolean isValid(String host) {
    int end = host.length();
    if (host.startsWith("[")) {
      int close = host.indexOf(']');
      boolean address = close > 0 && IpAddress.isV6(host.substring(1, close));
      return address && (close + 1 == end || isPort(host, close + 1));
    }
    int colon = host.indexOf(':');
    int nameEnd = colon < 0 ? end : colon;
    return nameEnd > 0 && isName(host, nameEnd) && (colon < 0 || isPort(host, colon));
  }

  /**
   * Returns a host without its port.
   *
   * @param host the value of a Host header
   * @return the part before the colon that starts the port
   */
  public static String withoutPort(String host) {
    int from = host.startsWith("[") ? host.indexOf(']') + 1 : 0;
    int colon = host.indexOf(':', from);
    return colon < 0 ? host : host.substring(0, colon);
  }

  /**
   * Returns true if a host is {@code localhost}, a subdomain of it, or a loopback address. Other
   * names may also resolve to this machine, even names of other sites.
   *
   * @param host the value of a Host header, with or without a port
   */
  public static boolean isLoopback(String host) {
    String name = withoutPort(host).toLowerCase(Locale.ROOT);
    boolean bracketed = name.startsWith("[") && name.endsWith("]");
    String address = bracketed ? name.substring(1, name.length() - 1) : name;
    return name.equals("localhost")
        || name.endsWith(".localhost")
        || (IpAddress.parse(address) != null && LOOPBACK.trusts(address, 0));
  }

  /**
   * Returns the subdomains of a host name, from right to left.
   *
   * @param name the host name without its port; an IP address is one label
   * @param offset the number of labels to skip from the right, such as 2 for {@code example.com}
   * @return the remaining labels; empty for an empty name
   */
  public static List<String> subdomains(String name, int offset) {
    List<String> parts = new ArrayList<>();
    if (name.isEmpty()) {
      return parts;
    }
    if (name.startsWith("[") || IpAddress.parse(name) != null) {
      parts.add(name);
    } else {
      Collections.addAll(parts, name.split("\\.", -1));
      Collections.reverse(parts);
    }
    return parts.subList(Math.min(Math.max(offset, 0), parts.size()), parts.size());
  }

  /** Returns an authority in lower case, with the default port of its scheme if it has no port. */
  static String withPort(String authority, String scheme) {
    String lower = authority.toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':', lower.lastIndexOf(']') + 1);
    if (colon >= 0 && colon < lower.length() - 1) {
      return lower;
    }
    String name = colon < 0 ? lower : lower.substring(0, colon);
    return name + (scheme.equalsIgnoreCase("https") ? ":443" : ":80");
  }

  private static boolean isName(String host, int end) {
    for (int i = 0; i < end; i++) {
      char c = host.charAt(i);
      if (c == '%' && i + 2 < end && Percent.isEscape(host, i)) {
        i += 2;
      } else if (!Ascii.isAlphanumeric(c) && NAME_MARKS.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if the rest of a text is a colon and a port. RFC 3986 allows an empty port. */
  private static boolean isPort(String host, int colon) {
    if (host.charAt(colon) != ':') {
      return false;
    }
    int port = 0;
    for (int i = colon + 1; i < host.length(); i++) {
      char c = host.charAt(i);
      port = Ascii.isDigit(c) ? port * 10 + c - '0' : MAX_PORT + 1;
      if (port > MAX_PORT) {
        return false;
      }
    }
    return true;
  }
}
