package dev.percolate.engine;

import java.nio.file.Path;

/**
 * Names the certificate and the private key of an HTTPS server.
 *
 * <p>Files are read when the server starts.
 */
public sealed interface Tls {

  /**
   * Names two PEM files.
   *
   * @param certificate the certificate, followed by those that vouch for it
   * @param key its private key (PKCS #8)
   */
  static Tls pem(Path certificate, Path key) {
    return new Pem(certificate, key);
  }

  /**
   * Names a key store in PKCS #12 or JKS form.
   *
   * @param file the key store
   * @param password opens it, and the key
   */
  static Tls keyStore(Path file, String password) {
    return new KeyStore(file, password);
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
}
