package dev.percolate.engine.tests;

import dev.percolate.engine.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A self-signed certificate, created by the JDK's keytool.
 *
 * @param store a key store with the certificate and its key
 */
public record TestCertificate(Path store) {

  private static final String PASSWORD = "secret";
  private static final String ALIAS = "own";

  /** The key stores that exist, by name, algorithm and hosts: keytool takes a second each time. */
  private static final Map<List<String>, byte[]> MADE = new ConcurrentHashMap<>();

  /** Creates a certificate for localhost. */
  public static TestCertificate make(Path folder) throws Exception {
    return make(folder.resolve("server.p12"), "EC", "localhost");
  }

  /**
   * Creates a certificate. Calls with the same file name, algorithm and hosts get copies of one
   * certificate.
   *
   * @param store the key store to write
   * @param algorithm the algorithm of the key
   * @param hosts the names of the hosts
   */
  public static TestCertificate make(Path store, String algorithm, String... hosts)
      throws Exception {
    List<String> identity = new ArrayList<>(List.of(hosts));
    identity.addAll(0, List.of(store.getFileName().toString(), algorithm));
    byte[] made = MADE.get(identity);
    if (made == null) {
      runKeytool(store, algorithm, hosts);
      MADE.put(identity, Files.readAllBytes(store));
    } else {
      Files.write(store, made);
    }
    return new TestCertificate(store);
  }

  private static void runKeytool(Path store, String algorithm, String... hosts) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")); // a short run
    command.addAll(List.of("-genkeypair", "-alias", ALIAS, "-keyalg", algorithm, "-validity", "2"));
    if (algorithm.equals("RSA")) {
      command.addAll(List.of("-keysize", "2048")); // larger keys take seconds
    }
    command.addAll(List.of("-dname", "CN=" + store.getFileName(), "-ext"));
    command.add("san=ip:127.0.0.1,dns:" + String.join(",dns:", hosts));
    command.addAll(List.of("-storetype", "PKCS12", "-keystore", store.toString()));
    command.addAll(List.of("-storepass", PASSWORD, "-keypass", PASSWORD));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(output);
    }
  }

  /** Returns the key store for a server. */
  public Tls tls() {
    return Tls.keyStore(store, PASSWORD);
  }

  /** Returns the same certificate and key in two PEM files. */
  public Tls pem() throws Exception {
    Path key = store.resolveSibling(store.getFileName() + ".key");
    byte[] secret = keys().getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
    Files.writeString(key, pem("PRIVATE KEY", secret));
    return Tls.pem(pemFile(), key);
  }

  /** Returns a PEM file with only the certificate. */
  public Path pemFile() throws Exception {
    Path file = store.resolveSibling(store.getFileName() + ".crt");
    return Files.writeString(file, pem("CERTIFICATE", certificate().getEncoded()));
  }

  /** Returns the certificate. */
  public X509Certificate certificate() throws Exception {
    return (X509Certificate) keys().getCertificate(ALIAS);
  }

  /** Returns the TLS context of clients that trust some servers. */
  public static SSLContext trusting(TestCertificate... servers) throws Exception {
    return clients(null, servers);
  }

  /** Returns the TLS context of clients that send this certificate and trust a server. */
  public SSLContext showing(TestCertificate server) throws Exception {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys(), PASSWORD.toCharArray());
    return clients(managers.getKeyManagers(), server);
  }

  private static SSLContext clients(KeyManager @Nullable [] own, TestCertificate... servers)
      throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (TestCertificate server : servers) {
      trusted.setCertificateEntry(server.store.toString(), server.certificate());
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, managers.getTrustManagers(), null);
    return context;
  }

  private KeyStore keys() throws GeneralSecurityException, IOException {
    return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
  }

  private static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }
}
