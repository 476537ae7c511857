package dev.percolate.nio.tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * A certificate and its private key.
 *
 * @param chain the certificate, followed by the certificates that signed it
 * @param key the private key
 * @param names the host names of the certificate, in lower case; the first label may be {@code *}
 */
record Credential(List<X509Certificate> chain, PrivateKey key, List<String> names) {

  /** The type of alternative names that are host names (RFC 5280 section 4.2.1.6). */
  private static final int DNS_NAME = 2;

  /**
   * Creates a credential.
   *
   * @throws GeneralSecurityException if the key does not match the certificate
   */
  static Credential of(List<X509Certificate> chain, PrivateKey key)
      throws GeneralSecurityException {
    X509Certificate own = chain.get(0);
    if (!belongTogether(key, own.getPublicKey())) {
      throw new GeneralSecurityException("private key does not match the certificate");
    }
    return new Credential(List.copyOf(chain), key, names(own));
  }

  /** Returns true if the certificate is valid for a host name. */
  boolean isFor(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return names.stream().anyMatch(name -> matches(name, lower));
  }

  /** Returns true if the key has the given type, as named by the JDK. */
  boolean isOf(String keyType) {
    return chain.get(0).getPublicKey().getAlgorithm().equals(keyType);
  }

  /** Returns true if a name in a certificate matches a host name (RFC 6125 section 6.4.3). */
  static boolean matches(String name, String host) {
    if (!name.startsWith("*.")) {
      return name.equals(host);
    }
    int dot = host.indexOf('.');
    return dot > 0 && host.substring(dot).equals(name.substring(1));
  }

  private static List<String> names(X509Certificate certificate)
      throws CertificateParsingException {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    if (names == null) {
      return List.of();
    }
    return names.stream()
        .filter(name -> name.get(0).equals(DNS_NAME))
        .map(name -> name.get(1).toString().toLowerCase(Locale.ROOT))
        .toList();
  }

  private static boolean belongTogether(PrivateKey key, PublicKey of)
      throws GeneralSecurityException {
    String algorithm =
        switch (of.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> of.getAlgorithm(); // EdDSA
        };
    byte[] text = {1, 2, 3};
    Signature signing = Signature.getInstance(algorithm);
    signing.initSign(key);
    signing.update(text);
    byte[] signature = signing.sign();
    Signature verifying = Signature.getInstance(algorithm);
    verifying.initVerify(of);
    verifying.update(text);
    return verifying.verify(signature);
  }
}
