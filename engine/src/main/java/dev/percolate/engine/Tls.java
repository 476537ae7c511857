package dev.percolate.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Names the certificates and private keys of an HTTPS server, and those whose clients it trusts.
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
   * Names two PEM files.
   *
   * @param certificate the certificate, followed by those that vouch for it
   * @param key its private key, not encrypted: {@code PRIVATE KEY} (PKCS #8), {@code RSA PRIVATE
   *     KEY} or {@code EC PRIVATE KEY}
   */
  static Tls pem(Path certificate, Path key) {
    return new Pem(certificate, key);
  }

  /**
   * Names a key store in PKCS #12 or JKS form.
   *
   * @param file the key store
   * @param password opens it, and its keys
   */
  static Tls keyStore(Path file, String password) {
    return new KeyStore(file, password);
  }

  /**
   * Names several certificates, of which each client gets the one that has the name it asks for
   * (SNI): as it stands among the alternative names of the certificate, or by a {@code *} there
   * that stands for one label. Who asks for another name, or for none, gets the first.
   *
   * @param first the first
   * @param more the others; two may have the same names, with keys of different kinds
   */
  static Tls byName(Tls first, Tls... more) {
    return new ByName(Stream.concat(Stream.of(first), Stream.of(more)).toList());
  }

  /**
   * Asks clients for a certificate; those that have none are served all the same, those whose
   * certificate is not vouched for are not. {@link Exchange#clientCertificates} tells which it is.
   *
   * @param trusted a PEM file with the certificates of those who vouch for clients
   */
  default Tls acceptClientCertificates(Path trusted) {
    return new ClientCertificates(this, trusted, false);
  }

  /**
   * Asks clients for a certificate; those that have none, or one that is not vouched for, are not
   * served. {@link Exchange#clientCertificates} tells which it is.
   *
   * @param trusted a PEM file with the certificates of those who vouch for clients
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

    /** Leaves the password out. */
    @Override
    public String toString() {
      return "KeyStore[" + file + "]";
    }
  }

  /**
   * Several certificates, chosen by the name that a client asks for.
   *
   * @param certificates the certificates, each in two PEM files or a key store
   */
  record ByName(List<Tls> certificates) implements Tls {

    /** Checks that they are certificates. */
    public ByName {
      for (Tls one : certificates) {
        if (!(one instanceof Pem || one instanceof KeyStore)) {
          throw new IllegalArgumentException(
              "Tls.byName(" + one + "): neither Tls.pem nor Tls.keyStore");
        }
      }
      certificates = List.copyOf(certificates);
    }
  }

  /**
   * Certificates of the server, and those who vouch for clients.
   *
   * @param server the certificates of the server
   * @param trusted a PEM file
   * @param required whether clients without a certificate are refused
   */
  record ClientCertificates(Tls server, Path trusted, boolean required) implements Tls {

    /** Checks that clients are asked once. */
    public ClientCertificates {
      if (server instanceof ClientCertificates) {
        throw new IllegalArgumentException(
            "requireClientCertificates(" + trusted + "): clients are asked already");
      }
    }
  }
}
