package dev.percolate.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The certificates and private keys of an HTTPS server, and its trusted client certificates (mTLS).
 *
 * <pre>
 *   Tls one = Tls.pem(Path.of("site.crt"), Path.of("site.key"));
 *   Tls two = Tls.byName(one, Tls.keyStore(Path.of("shop.p12"), password));
 *   Tls staff = two.requireClientCertificates(Path.of("staff.crt"));
 * </pre>
 *
 * <p>Files are read when the server starts, and again by {@link Server#reloadTls}.
 */
public sealed interface Tls {

  /**
   * Uses two PEM files.
   *
   * @param certificate the certificate, followed by its intermediate certificates
   * @param key its private key, not encrypted: {@code PRIVATE KEY} (PKCS #8), {@code RSA PRIVATE
   *     KEY} or {@code EC PRIVATE KEY}
   */
  static Tls pem(Path certificate, Path key) {
    return new Pem(certificate, key);
  }

  /**
   * Uses a key store in PKCS #12 or JKS format.
   *
   * @param file the key store
   * @param password the password of the key store and its keys
   */
  static Tls keyStore(Path file, String password) {
    return new KeyStore(file, password);
  }

  /**
   * Uses several certificates, and selects one by the server name that the client sends (SNI). The
   * name must be equal to a subject alternative name of the certificate, in which {@code *} matches
   * one label. For other names, or without a name, the first certificate is used.
   *
   * @param first the first certificate
   * @param more the others; certificates with the same names may have different types of keys
   */
  static Tls byName(Tls first, Tls... more) {
    return new ByName(Stream.concat(Stream.of(first), Stream.of(more)).toList());
  }

  /**
   * Requests a client certificate. Clients without a certificate are accepted; clients with an
   * untrusted one are rejected. {@link Exchange#clientCertificates} returns the certificate.
   *
   * @param trusted a PEM file with the certificates of trusted certificate authorities
   */
  default Tls acceptClientCertificates(Path trusted) {
    return new ClientCertificates(this, trusted, false);
  }

  /**
   * Requires a client certificate. Clients without a certificate, or with an untrusted one, are
   * rejected. {@link Exchange#clientCertificates} returns the certificate.
   *
   * @param trusted a PEM file with the certificates of trusted certificate authorities
   */
  default Tls requireClientCertificates(Path trusted) {
    return new ClientCertificates(this, trusted, true);
  }

  /**
   * Two PEM files.
   *
   * @param certificate the certificate
   * @param key its private key
   */
  record Pem(Path certificate, Path key) implements Tls {}

  /**
   * A key store.
   *
   * @param file the file
   * @param password its password
   */
  record KeyStore(Path file, String password) implements Tls {

    /** Returns a description without the password. */
    @Override
    public String toString() {
      return "KeyStore[" + file + "]";
    }
  }

  /**
   * Several certificates, selected by server name (SNI).
   *
   * @param certificates the certificates, each in two PEM files or a key store
   */
  record ByName(List<Tls> certificates) implements Tls {

    /** Checks that all are certificates. */
    public ByName {
      for (Tls one : certificates) {
        if (!(one instanceof Pem || one instanceof KeyStore)) {
          throw new IllegalArgumentException(
              "Tls.byName(" + one + "): must be Tls.pem or Tls.keyStore");
        }
      }
      certificates = List.copyOf(certificates);
    }
  }

  /**
   * Certificates of the server, and trusted certificate authorities for clients.
   *
   * @param server the certificates of the server
   * @param trusted a PEM file
   * @param required whether clients without a certificate are rejected
   */
  record ClientCertificates(Tls server, Path trusted, boolean required) implements Tls {

    /** Checks that the option is used once. */
    public ClientCertificates {
      if (server instanceof ClientCertificates) {
        throw new IllegalArgumentException(
            "requireClientCertificates(" + trusted + "): client certificates are already set");
      }
    }
  }
}
