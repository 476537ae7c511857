package dev.percolate.jdk;

import dev.percolate.engine.Tls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Reads certificate and key of an HTTPS server. */
final class TlsContext {

  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  private TlsContext() {}

  static SSLContext of(Tls tls) throws IOException {
    try {
      if (tls instanceof Tls.KeyStore store) {
        char[] password = store.password().toCharArray();
        return context(KeyStore.getInstance(store.file().toFile(), password), password);
      }
      char[] password = {};
      return context(keys((Tls.Pem) tls), password);
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      throw new IOException("tls(" + tls + "): cannot be read: " + e.getMessage(), e);
    }
  }

  private static SSLContext context(KeyStore keys, char[] password)
      throws GeneralSecurityException {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static KeyStore keys(Tls.Pem pem) throws GeneralSecurityException, IOException {
    byte[] chain = Files.readAllBytes(pem.certificate());
    Certificate[] certificates =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(new ByteArrayInputStream(chain))
            .toArray(Certificate[]::new);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    keys.setKeyEntry("server", key(pem.key()), new char[0], certificates);
    return keys;
  }

  private static PrivateKey key(Path file) throws GeneralSecurityException, IOException {
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(file + " has no line " + BEGIN);
    }
    byte[] key = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
    for (String algorithm : List.of("RSA", "EC")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
      } catch (InvalidKeySpecException e) {
        // the key is one of another algorithm: the next, or the last, tells
      }
    }
    return KeyFactory.getInstance("EdDSA").generatePrivate(new PKCS8EncodedKeySpec(key));
  }
}
