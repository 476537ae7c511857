package dev.percolate.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A subnet: the addresses that begin with the same bits (RFC 4632, RFC 4291 section 2.3). */
record Subnet(IpAddress base, int prefix) {

  private static final Map<String, List<String>> NAMED =
      Map.of(
          "loopback", List.of("127.0.0.1/8", "::1/128"),
          "linklocal", List.of("169.254.0.0/16", "fe80::/10"),
          "uniquelocal", List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"));

  /** Parses subnets: names, addresses, and addresses with a prefix length or netmask. */
  static List<Subnet> parseAll(List<String> texts) {
    List<Subnet> subnets = new ArrayList<>();
    for (String text : texts) {
      NAMED.getOrDefault(text, List.of(text)).forEach(known -> subnets.add(parse(known)));
    }
    return List.copyOf(subnets);
  }

  static Subnet parse(String text) {
    int slash = text.lastIndexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    IpAddress written = IpAddress.parse(address);
    if (written == null || address.indexOf('%') >= 0) {
      throw new IllegalArgumentException(
          "\"" + LogText.escape(address) + "\" is not an IP address");
    }
    IpAddress base = written.unmapped();
    int bits = slash < 0 ? written.length() : prefix(text.substring(slash + 1), written);
    int prefix = bits - (written.length() - base.length());
    if (prefix < 1 || prefix > base.length()) {
      throw new IllegalArgumentException("\"" + LogText.escape(text) + "\" is not a subnet");
    }
    return new Subnet(base, prefix);
  }

  /**
   * Returns true if this subnet contains an address. An IPv4-mapped address is also an IPv4
   * address.
   */
  boolean contains(IpAddress address) {
    return address.sharesPrefix(base, prefix) || address.unmapped().sharesPrefix(base, prefix);
  }

  /**
   * Returns the prefix length in digits or in a netmask of the same family; -1 if it is invalid.
   */
  private static int prefix(String text, IpAddress address) {
    IpAddress mask = IpAddress.parse(text);
    if (mask != null) {
      return mask.length() == address.length() ? mask.maskLength() : -1;
    }
    int value = text.isEmpty() ? -1 : 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9' || value > IpAddress.V6_LENGTH) {
        return -1;
      }
      value = 10 * value + c - '0';
    }
    return value;
  }
}
