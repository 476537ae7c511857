package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Writes IP addresses the way people and logs expect them. Looks no names up. */
public final class IpText {

  private static final int GROUPS = 8;

  private IpText() {}

  /**
   * Returns the one short form of an address (RFC 5952 section 4): lower case, no leading zeros,
   * the longest run of zeros as two colons. An IPv4-mapped address becomes the IPv4 address that it
   * stands for, so that a client has one address, whatever kind of socket has accepted it.
   *
   * @param address an address; what follows a {@code %} is kept
   * @return that form; the text as it is if it is none of IPv6
   */
  public static String canonical(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    int percent = address.indexOf('%');
    int end = percent < 0 ? address.length() : percent;
    IpAddress parsed = IpAddress.parse(address.substring(0, end));
    if (parsed == null) {
      return address;
    }
    IpAddress plain = parsed.unmapped();
    return plain.length() == IpAddress.V4_LENGTH ? v4(plain) : v6(plain) + address.substring(end);
  }

  /**
   * Returns what tells one client from another: an IPv4 address, or the network of an IPv6 address,
   * its first 64 bits, of which each client has all addresses (RFC 4291 section 2.5.4).
   *
   * @param address an address, or any other text
   * @return the address or network in its {@link #canonical} form, such as {@code 192.0.2.1} or
   *     {@code 2001:db8::/64}; the text as it is if it is link-local or no address
   */
  public static String network(String address) {
    IpAddress parsed = address.indexOf(':') < 0 ? null : IpAddress.parse(address);
    if (parsed == null || parsed.isLinkLocal()) {
      return address;
    }
    IpAddress plain = parsed.unmapped();
    return plain.length() == IpAddress.V4_LENGTH ? v4(plain) : v6(plain.network()) + "/64";
  }

  /**
   * Returns the address in a text by which a proxy reports one: proxies such as those of Azure and
   * HAProxy add the port of the client ({@code 192.0.2.1:4711}), write IPv6 addresses in brackets
   * ({@code [2001:db8::1]:4711}), or quote them, as RFC 7239 section 6 does.
   *
   * @param reported any text
   * @return the address as written, without port, brackets and quotes; the text as it is if it
   *     holds no address
   */
  public static String reported(String reported) {
    if (IpAddress.parse(reported) != null) {
      return reported;
    }
    int last = reported.length() - 1;
    boolean quoted = last > 1 && reported.charAt(0) == '"' && reported.charAt(last) == '"';
    String text = quoted ? reported.substring(1, last) : reported;
    String address = text;
    if (Host.isValid(text)) {
      String host = Host.withoutPort(text);
      address = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
    return IpAddress.parse(address) == null ? reported : address;
  }

  /**
   * Returns the {@link #network} of an address that a proxy reports, or null for any other text.
   *
   * @param reported an address, perhaps as {@link #reported} reads it
   */
  public static @Nullable String reportedNetwork(String reported) {
    String address = reported(reported);
    return IpAddress.parse(address) == null ? null : network(address);
  }

  /**
   * Returns true if a text is an IPv4 address: four decimal numbers without leading zeros.
   *
   * @param text any text
   */
  public static boolean isV4(String text) {
    return text.indexOf(':') < 0 && IpAddress.parse(text) != null;
  }

  /**
   * Returns true if a text is an IPv6 address without a zone, long or short.
   *
   * @param text any text
   */
  public static boolean isV6(String text) {
    return IpAddress.isV6(text);
  }

  private static String v4(IpAddress address) {
    StringBuilder text = new StringBuilder(15);
    for (int shift = 56; shift >= 32; shift -= 8) {
      text.append((address.high() >>> shift) & 0xFF).append(shift == 32 ? "" : ".");
    }
    return text.toString();
  }

  private static String v6(IpAddress address) {
    int length = 1;
    int start = -1;
    for (int i = 0; i < GROUPS; i++) {
      int zeros = zeros(address, i);
      if (zeros > length) { // a single zero is not shortened, and of equal runs the first is
        length = zeros;
        start = i;
      }
    }
    StringBuilder text = new StringBuilder(39);
    int i = 0;
    while (i < GROUPS) {
      if (i == start) {
        text.append("::");
        i += length;
      } else {
        boolean first = i == 0 || (start >= 0 && i == start + length);
        text.append(first ? "" : ":").append(Long.toHexString(group(address, i)));
        i++;
      }
    }
    return text.toString();
  }

  private static int zeros(IpAddress address, int from) {
    int end = from;
    while (end < GROUPS && group(address, end) == 0) {
      end++;
    }
    return end - from;
  }

  private static long group(IpAddress address, int index) {
    long half = index < GROUPS / 2 ? address.high() : address.low();
    return (half >>> (48 - 16 * (index % (GROUPS / 2)))) & 0xFFFF;
  }
}
