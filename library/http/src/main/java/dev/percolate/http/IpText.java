package dev.percolate.http;

import org.jspecify.annotations.Nullable;

/** Formats IP addresses. Never looks up names. */
public final class IpText {

  private static final int GROUPS = 8;

  private IpText() {}

  /**
   * Returns the canonical form of an address (RFC 5952 section 4): lower case, no leading zeros,
   * the longest run of zeros as two colons. An IPv4-mapped address becomes an IPv4 address, so that
   * a client has the same address on IPv4 and IPv6 sockets.
   *
   * @param address an address; a zone after {@code %} is kept
   * @return the canonical form; the unchanged text if it is not an IPv6 address
   */
  public static String canonical(String address) {
    if (address.indexOf(':') < 0) {
      return address;
    }
    int end = Ascii.indexOrEnd(address, '%', 0);
    IpAddress parsed = IpAddress.parse(address.substring(0, end));
    if (parsed == null) {
      return address;
    }
    IpAddress plain = parsed.unmapped();
    return plain.length() == IpAddress.V4_LENGTH ? v4(plain) : v6(plain) + address.substring(end);
  }

  /**
   * Returns the text that identifies a client: an IPv4 address, or the /64 network of an IPv6
   * address. A client usually has all addresses of its network (RFC 4291 section 2.5.4).
   *
   * @param address an address, or any other text
   * @return the address or network in its {@link #canonical} form, such as {@code 192.0.2.1} or
   *     {@code 2001:db8::/64}; the unchanged text if it is link-local or not an IPv6 address
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
   * Returns the address in a proxy's report. Some proxies, such as Azure and HAProxy, add the port
   * of the client: {@code 192.0.2.1:4711} or {@code [2001:db8::1]:4711}. Others quote addresses, as
   * in RFC 7239 section 6.
   *
   * @param reported any text
   * @return the address as written, without port, brackets and quotes; the unchanged text if it
   *     contains no address
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
   * Returns the {@link #network} of an address in a proxy's report; null if there is none.
   *
   * @param reported any text; see {@link #reported}
   */
  public static @Nullable String reportedNetwork(String reported) {
    String address = reported(reported);
    return IpAddress.parse(address) == null ? null : network(address);
  }

  /**
   * Returns true if a string is an IPv4 address: four decimal numbers without leading zeros.
   *
   * @param text any text
   */
  public static boolean isV4(String text) {
    return text.indexOf(':') < 0 && IpAddress.parse(text) != null;
  }

  /**
   * Returns true if a string is an IPv6 address, full or compressed, without a zone.
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
      if (zeros > length) { // a single zero is not compressed; of equal runs, the first is
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
