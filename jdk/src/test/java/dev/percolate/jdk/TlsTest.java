package dev.percolate.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS by a key store and by PEM files. */
final class TlsTest {

  private static final String PASSWORD = "secret";

  @TempDir Path folder;

  @Test
  void aKeyStoreGivesHttps() throws Exception {
    Path store = keyStore("EC");
    assertEquals("https 1.1", answer(Tls.keyStore(store, PASSWORD), store));
  }

  @Test
  void pemFilesGiveHttps() throws Exception {
    for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
      Path store = keyStore(algorithm);
      KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      Path certificate = folder.resolve(algorithm + ".crt");
      Path key = folder.resolve(algorithm + ".key");
      write(certificate, "CERTIFICATE", keys.getCertificate("server").getEncoded());
      write(key, "PRIVATE KEY", keys.getKey("server", PASSWORD.toCharArray()).getEncoded());
      assertEquals("https 1.1", answer(Tls.pem(certificate, key), store));
    }
  }

  @Test
  void whatCannotBeReadIsNamed() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty"));
    Path none = folder.resolve("none");
    Path ec = keyStore("EC");
    Service nothing = Chain.service(new Settings());
    Map<Tls, String> wrong =
        Map.of(
            Tls.pem(empty, empty), empty + ": no block BEGIN CERTIFICATE",
            Tls.pem(none, empty), none + ": no such file",
            Tls.keyStore(none, PASSWORD), none + ": no such file",
            Tls.keyStore(empty, PASSWORD), empty + ": ",
            Tls.keyStore(ec, "wrong"), ec + ": keystore password was incorrect");
    for (Map.Entry<Tls, String> one : wrong.entrySet()) {
      ListenOptions options = ListenOptions.ofPort(0).tls(one.getKey());
      Exception error =
          assertThrows(IOException.class, () -> new JdkEngine().listen(nothing, options));
      String message = String.valueOf(error.getMessage());
      assertTrue(message.startsWith("tls: " + one.getValue()), message);
    }
  }

  private static String answer(Tls tls, Path trusted) throws Exception {
    Handler handler = (req, res) -> res.send(req.protocol() + " " + req.httpVersion());
    ListenOptions options = ListenOptions.ofPort(0).tls(tls);
    try (Server server = new JdkEngine().listen(Chain.service(new Settings(), handler), options)) {
      HttpsURLConnection connection = (HttpsURLConnection) server.uri().toURL().openConnection();
      connection.setSSLSocketFactory(trusting(trusted).getSocketFactory());
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  private Path keyStore(String algorithm) throws Exception {
    Path file = folder.resolve(algorithm + ".p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String key =
        "-genkeypair -alias server -dname CN=localhost -ext san=dns:localhost -keyalg " + algorithm;
    ProcessBuilder builder = new ProcessBuilder(keytool);
    builder.command().addAll(List.of(key.split(" ")));
    builder.command().addAll(List.of("-keystore", file.toString(), "-storepass", PASSWORD));
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    return file;
  }

  private static void write(Path file, String kind, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder().encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
  }

  private static SSLContext trusting(Path file) throws Exception {
    KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
