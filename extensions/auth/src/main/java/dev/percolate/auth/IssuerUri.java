package dev.percolate.auth;

import java.net.URI;
import java.util.Set;

/** Checks URLs of issuers. They must use HTTPS, except on this machine. */
final class IssuerUri {

  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

  private IssuerUri() {}

  /**
   * Returns the URL of an option.
   *
   * @param option the option, for the message
   * @throws IllegalArgumentException if it is not an absolute HTTPS URL, or an HTTP URL of this
   *     machine
   */
  static URI of(String option, String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + " must be a URL, was \"" + url + '"', e);
    }
    if (!isSafe(uri)) {
      throw new IllegalArgumentException(
          option + " must be an https URL, or an http URL of localhost, was \"" + url + '"');
    }
    return uri;
  }

  /** Returns the URL of the metadata of an issuer (OpenID Connect Discovery, section 4). */
  static URI metadata(String issuer) {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return URI.create(base + "/.well-known/openid-configuration");
  }

  private static boolean isSafe(URI uri) {
    String host = uri.getHost();
    return host != null
        && ("https".equals(uri.getScheme())
            || ("http".equals(uri.getScheme()) && THIS_MACHINE.contains(host)));
  }
}
