package dev.percolate.vertx;

import dev.percolate.engine.Tls;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A fresh certificate for localhost, made by the JDK's keytool. */
record TestCertificate(Path store) {

  private static final String PASSWORD = "secret";

  static TestCertificate make(Path folder) throws Exception {
    Path store = folder.resolve("server.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> key =
        List.of("-genkeypair", "-alias", "server", "-keyalg", "EC", "-validity", "2");
    List<String> name = List.of("-dname", "CN=localhost");
    List<String> place = List.of("-storetype", "PKCS12", "-keystore", store.toString());
    List<String> passwords = List.of("-storepass", PASSWORD, "-keypass", PASSWORD);
    ProcessBuilder builder = new ProcessBuilder(keytool);
    List.of(key, name, place, passwords).forEach(builder.command()::addAll);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(output);
    }
    return new TestCertificate(store);
  }

  Tls tls() {
    return Tls.keyStore(store, PASSWORD);
  }

  /** Returns the same certificate and key in two PEM files. */
  Tls pem() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Path certificate = store.resolveSibling("server.crt");
    Path key = store.resolveSibling("server.key");
    Files.writeString(certificate, pem("CERTIFICATE", keys.getCertificate("server").getEncoded()));
    byte[] secret = keys.getKey("server", PASSWORD.toCharArray()).getEncoded();
    Files.writeString(key, pem("PRIVATE KEY", secret));
    return Tls.pem(certificate, key);
  }

  private static String pem(String what, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }
}
