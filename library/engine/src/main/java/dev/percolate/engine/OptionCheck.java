package dev.percolate.engine;

import dev.percolate.http.Quantity;
import dev.percolate.http.Trust;
import java.time.Duration;
import java.util.List;

/**
 * Checks the values of {@link ListenOptions}, and throws an IllegalArgumentException if one is
 * invalid.
 */
final class OptionCheck {

  private static final Duration BEYOND_PROXY = Duration.ofSeconds(15);

  private OptionCheck() {}

  /** Returns a port if it is 0 to 65535. */
  static int port(int port) {
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port must be 0 to 65535, was " + port);
    }
    return port;
  }

  /** Returns a host if it is not blank. */
  static String host(String host) {
    if (host.isBlank()) {
      throw new IllegalArgumentException("host must not be blank, was \"" + host + "\"");
    }
    return host;
  }

  /** Returns the trust for the addresses of proxies, if there is at least one. */
  static Trust proxies(String... trusted) {
    if (trusted.length == 0) {
      throw new IllegalArgumentException(
          "proxyProtocol needs at least one proxy address, got none");
    }
    try {
      return Trust.of(List.of(trusted));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("proxyProtocol(…): " + e.getMessage(), e);
    }
  }

  /** Returns an idle timeout that exceeds that of a proxy by a quarter, and at least by 15 s. */
  static Duration longerThan(Duration proxyIdle) {
    Duration idle = Quantity.positive("behindProxy", proxyIdle);
    Duration quarter = idle.dividedBy(4);
    return idle.plus(quarter.compareTo(BEYOND_PROXY) > 0 ? quarter : BEYOND_PROXY);
  }
}
