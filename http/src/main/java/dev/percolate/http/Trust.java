package dev.percolate.http;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which proxies are believed when they say from where and how a request came; the setting
 * {@code trust proxy} holds one, or says what one is made of.
 *
 * <p>Called by any thread, once for each address of each question.
 */
@FunctionalInterface
public interface Trust {

  /**
   * Tells whether what an address has forwarded is true.
   *
   * @param address the address, unchecked text where a proxy has reported it
   * @param hop how far it is: 0 for the peer of the connection, 1 for the one that it reports
   * @return true to believe it
   */
  boolean trusts(String address, int hop);

  /**
   * Compiles a value of the setting.
   *
   * <ul>
   *   <li>false or null: nobody is trusted; true: everybody;
   *   <li>a number: that many hops, the peer of the connection being the first;
   *   <li>a list, or text with commas: IP addresses, subnets ({@code 10.0.0.0/8}, {@code
   *       10.0.0.0/255.0.0.0}) and the names {@code loopback}, {@code linklocal} and {@code
   *       uniquelocal}; text that is no IP address lies in none. IPv4-mapped IPv6 addresses count
   *       as IPv4 addresses;
   *   <li>a trust itself.
   * </ul>
   *
   * @param setting the value
   * @return what decides
   * @throws IllegalArgumentException for an address or a subnet that is none, or for a value of
   *     another kind
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
        setting + ": neither true, false, a number of hops, addresses nor a function");
  }

  private static Trust within(List<Subnet> subnets) {
    return (text, hop) -> {
      IpAddress address = subnets.isEmpty() ? null : IpAddress.parse(text);
      return address != null && subnets.stream().anyMatch(subnet -> subnet.contains(address));
    };
  }
}
