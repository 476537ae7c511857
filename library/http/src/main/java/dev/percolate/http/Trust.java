package dev.percolate.http;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which proxies are trusted to report the address, protocol and host of the client; the
 * value of the setting {@code trust proxy}.
 *
 * <p>Called on any thread.
 */
@FunctionalInterface
public interface Trust {

  /**
   * Returns true if a proxy is trusted.
   *
   * @param address the address of the proxy; if another proxy reported it, this may be any text
   * @param hop the distance: 0 for the peer of the connection, 1 for the address that it reports
   */
  boolean trusts(String address, int hop);

  /**
   * Returns the trust for a value of the setting.
   *
   * <ul>
   *   <li>false or null: no proxy is trusted; true: all are;
   *   <li>a number: that many hops are trusted, beginning with the peer of the connection;
   *   <li>a list, or text with commas: IP addresses, subnets ({@code 10.0.0.0/8}, {@code
   *       10.0.0.0/255.0.0.0}) and the names {@code loopback}, {@code linklocal} and {@code
   *       uniquelocal}. IPv4-mapped IPv6 addresses count as IPv4 addresses;
   *   <li>a {@code Trust}.
   * </ul>
   *
   * @param setting the value
   * @throws IllegalArgumentException for an invalid address or subnet, or a value of another type
   */
  static Trust of(@Nullable Object setting) {
    if (setting instanceof Trust trust) {
      return trust;
    }
    if (setting == null || setting instanceof Boolean) {
      boolean always = Boolean.TRUE.equals(setting);
      return (address, hop) -> always;
    }
    if (setting instanceof Number number) {
      double hops = number.doubleValue();
      return (address, hop) -> hop < hops;
    }
    if (setting instanceof String text) {
      return within(Subnet.parseAll(ListText.split(text, ',')));
    }
    if (setting instanceof Collection<?> list) {
      return within(Subnet.parseAll(list.stream().map(String::valueOf).toList()));
    }
    throw new IllegalArgumentException(
        "must be true, false, a number of hops, addresses or a function, was " + setting);
  }

  private static Trust within(List<Subnet> subnets) {
    return (text, hop) -> {
      IpAddress address = subnets.isEmpty() ? null : IpAddress.parse(text);
      return address != null && subnets.stream().anyMatch(subnet -> subnet.contains(address));
    };
  }
}
