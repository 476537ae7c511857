package dev.percolate.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Takes the host that a request names apart (RFC 9110 section 7.2), without validating it. */
public final class Host {
  private Host() {}

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
}
