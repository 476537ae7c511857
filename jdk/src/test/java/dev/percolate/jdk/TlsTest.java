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
import dev.percolate.engine.tests.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HTTPS by a key store and by PEM files. */
final class TlsTest {

  @TempDir Path folder;

  @Test
  void aKeyStoreGivesHttps() throws Exception {
    TestCertificate certificate = certificate("EC");
    assertEquals("https 1.1", answer(certificate.tls(), certificate));
  }

  @Test
  void pemFilesGiveHttps() throws Exception {
    for (String algorithm : List.of("RSA", "EC", "Ed25519")) {
      TestCertificate certificate = certificate(algorithm);
      assertEquals("https 1.1", answer(certificate.pem(), certificate));
    }
  }

  @Test
  void whatCannotBeReadIsNamed() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty"));
    Path none = folder.resolve("none");
    Path ec = certificate("EC").store();
    Service nothing = Chain.service(new Settings());
    Map<Tls, String> wrong =
        Map.of(
            Tls.pem(empty, empty), empty + ": no block BEGIN CERTIFICATE",
            Tls.pem(none, empty), none + ": no such file",
            Tls.keyStore(none, "secret"), none + ": no such file",
            Tls.keyStore(empty, "secret"), empty + ": ",
            Tls.keyStore(ec, "wrong"), ec + ": keystore password was incorrect");
    for (Map.Entry<Tls, String> one : wrong.entrySet()) {
      ListenOptions options = ListenOptions.ofPort(0).tls(one.getKey());
      Exception error =
          assertThrows(IOException.class, () -> new JdkEngine().listen(nothing, options));
      String message = String.valueOf(error.getMessage());
      assertTrue(message.startsWith("tls: " + one.getValue()), message);
    }
  }

  private TestCertificate certificate(String algorithm) throws Exception {
    return TestCertificate.make(folder.resolve(algorithm + ".p12"), algorithm, "localhost");
  }

  private static String answer(Tls tls, TestCertificate trusted) throws Exception {
    Handler handler = (req, res) -> res.send(req.protocol() + " " + req.httpVersion());
    ListenOptions options = ListenOptions.ofPort(0).tls(tls);
    try (Server server = new JdkEngine().listen(Chain.service(new Settings(), handler), options)) {
      HttpsURLConnection connection = (HttpsURLConnection) server.uri().toURL().openConnection();
      connection.setSSLSocketFactory(TestCertificate.trusting(trusted).getSocketFactory());
      try (InputStream in = connection.getInputStream()) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
