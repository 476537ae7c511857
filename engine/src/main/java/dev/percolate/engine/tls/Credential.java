package dev.percolate.engine.tls;

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
 * @param chain the certificate, and those that vouch for it
 * @param key its private key
 * @param names of the hosts that it is for, in lower case; perhaps with a {@code *} for the first
 *     label
 */
record Credential(List<X509Certificate> chain, PrivateKey key, List<String> names) {

  /** A kind of alternative names: those of hosts (RFC 5280 section 4.2.1.6). */
  private static final int DNS_NAME = 2;

  /**
   * Creates one.
   *
   * @throws GeneralSecurityException if the key is not that of the certificate
   */
  static Credential of(List<X509Certificate> chain, PrivateKey key)
      throws GeneralSecurityException {
    X509Certificate own = chain.get(0);
    if (!belongTogether(key, own.getPublicKey())) {
      throw new GeneralSecurityException("not the key of the certificate");
    }
    return new Credential(List.copyOf(chain), key, names(own));
  }

  /** Tells whether it is for a host. */
  boolean isFor(String host) {
    String lower = host.toLowerCase(Locale.ROOT);
    return names.stream().anyMatch(name -> matches(name, lower));
  }

  /** Tells whether the key is of a kind, as the JDK names it. */
  boolean isOf(String keyType) {
    return chain.get(0).getPublicKey().getAlgorithm().equals(keyType);
  }

  /** Tells whether a name of a certificate means a host (RFC 6125 section 6.4.3). */
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
