package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Takes the host that a request names apart (RFC 9110 section 7.2), and tells whether it is one.
 */
public final class Host {
  private static final String NAME_MARKS = "-._~!$&'()*+,;=";
  private static final int MAX_PORT = 65535;
  private static final Trust LOOPBACK = Trust.of("loopback");

  private Host() {}

  /**
   * Tells whether a text is a host with or without a port (RFC 3986 section 3.2): a name, an IPv4
   * address, or an IPv6 address in brackets. A user named before an {@code @} has no place there.
   *
   * @param host the value of a Host header
   * @return false also for an empty text, because an {@code http} URL needs a host (RFC 9110
   *     section 4.2.1)
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
   * Removes the port.
   *
   * @param host the value of a Host header
   * @return what stands before the first colon, behind the brackets of an IPv6 address
   */
  public static String withoutPort(String host) {
    int from = host.startsWith("[") ? host.indexOf(']') + 1 : 0;
    int colon = host.indexOf(':', from);
    return colon < 0 ? host : host.substring(0, colon);
  }

  /**
   * Returns whether a host names this machine: {@code localhost}, a subdomain of it, or a loopback
   * address. Other names may resolve to this machine by DNS, even those of other sites.
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
   * Lists the parts of a host name from the right, without the first ones.
   *
   * @param name the host without its port; an IP address is one part
   * @param offset how many parts to leave out, such as 2 for {@code example.com}
   * @return the other parts, none of an empty name
   */
  public static List<String> subdomains(String name, int offset) {
    List<String> parts = new ArrayList<>();
    if (name.isEmpty()) {
      return parts;
    }
    if (IpAddress.parse(name) != null) {
      parts.add(name);
    } else {
      Collections.addAll(parts, name.split("\\.", -1));
      Collections.reverse(parts);
    }
    return parts.subList(Math.min(Math.max(offset, 0), parts.size()), parts.size());
  }

  private static boolean isName(String host, int end) {
    for (int i = 0; i < end; i++) {
      char c = host.charAt(i);
      boolean escape = c == '%' && i + 2 < end && isHex(host.charAt(i + 1));
      if (escape && isHex(host.charAt(i + 2))) {
        i += 2;
      } else if (!isLetter(c) && !isDigit(c) && NAME_MARKS.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Tells whether the rest of a text is a colon and a port; RFC 3986 lets the port be missing. */
  private static boolean isPort(String host, int colon) {
    if (host.charAt(colon) != ':') {
      return false;
    }
    int port = 0;
    for (int i = colon + 1; i < host.length(); i++) {
      char c = host.charAt(i);
      port = isDigit(c) ? port * 10 + c - '0' : MAX_PORT + 1;
      if (port > MAX_PORT) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHex(char c) {
    return isDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  }

  private static boolean isLetter(char c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
