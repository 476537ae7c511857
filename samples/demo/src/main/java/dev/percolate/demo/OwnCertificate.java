package dev.percolate.demo;

import dev.percolate.engine.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * A self-signed certificate, to try the guest book over TLS. It is created once with keytool, since
 * browsers ask for confirmation of each new certificate.
 */
final class OwnCertificate {

  /** Not a secret. It does not protect the key from users who can read the file. */
  private static final String PASSWORD = "guest-book";

  private OwnCertificate() {}

  /**
   * Returns the certificate in a folder, and creates it if it does not exist.
   *
   * @throws IOException if it cannot be created
   * @throws InterruptedException if the thread is interrupted
   */
  static Tls in(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("certificate.p12");
    if (Files.notExists(store)) {
      make(folder, store);
    }
    return Tls.keyStore(store, PASSWORD);
  }

  /** Creates the certificate in a private folder, and moves it to its place when it is complete. */
  private static void make(Path folder, Path store) throws IOException, InterruptedException {
    Path own = Files.createTempDirectory(folder, "certificate");
    Path made = own.resolve("made.p12");
    try {
      run(
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-J-XX:TieredStopAtLevel=1",
              "-genkeypair",
              "-keyalg",
              "EC",
              "-validity",
              "365",
              "-dname",
              "CN=guest book",
              "-ext",
              "san=dns:localhost,ip:127.0.0.1",
              "-storetype",
              "PKCS12",
              "-keystore",
              made.toString(),
              "-storepass",
              PASSWORD));
      Files.move(made, store, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(made);
      Files.delete(own);
    }
  }

  private static void run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("HTTPS_PORT: cannot create a certificate: " + output.strip());
    }
  }
}
