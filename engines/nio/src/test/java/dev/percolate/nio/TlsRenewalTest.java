package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Tls;
import dev.percolate.fixtures.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Certificates are reloaded while a server runs. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
final class TlsRenewalTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir private static Path folder;
  private static TestCertificate old;
  private static TestCertificate renewed;

  @BeforeAll
  static void makeCertificates() throws Exception {
    old = TestCertificate.make(folder.resolve("old.p12"), "EC", "localhost");
    renewed = TestCertificate.make(folder.resolve("renewed.p12"), "EC", "localhost");
  }

  private static Server serve(ListenOptions options) throws IOException {
    return new NioEngine()
        .listen(Chain.service(new Settings(), (req, res, next) -> res.end("x")), options);
  }

  private static ListenOptions options() {
    return ListenOptions.ofPort(0).host("127.0.0.1");
  }

  private static void copy(TestCertificate from, Tls.Pem to) throws Exception {
    Tls.Pem pem = (Tls.Pem) from.pem();
    Files.copy(pem.certificate(), to.certificate(), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(pem.key(), to.key(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Sends two requests on each of its connections, until the end. Counts the responses. */
  private static void ask(
      Server server,
      SSLContext trusting,
      AtomicBoolean over,
      AtomicInteger answers,
      Set<Certificate> shown)
      throws Exception {
    while (!over.get()) {
      try (TlsSocket socket = new TlsSocket(server, trusting, "TLSv1.3")) {
        shown.add(socket.session().getPeerCertificates()[0]);
        for (int i = 0; i < 2; i++) {
          socket.send(GET).readTo("\r\n\r\nx");
          answers.incrementAndGet();
        }
      }
    }
  }

  @Test
  void reloadingUnderLoadLosesNoRequest() throws Exception {
    Tls.Pem files = (Tls.Pem) Tls.pem(folder.resolve("site.crt"), folder.resolve("site.key"));
    copy(old, files);
    SSLContext trusting = TestCertificate.trusting(old, renewed);
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger answers = new AtomicInteger();
    Set<Certificate> shown = ConcurrentHashMap.newKeySet();
    ListenOptions options = options().tls(files).headerTimeout(Duration.ofMinutes(1));
    try (Server server = serve(options); // one client sends a request at the very end
        TlsSocket kept = new TlsSocket(server, trusting, "TLSv1.2")) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        clients.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    ask(server, trusting, over, answers, shown);
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                },
                task -> new Thread(task).start()));
      }
      for (int i = 0; i < 10; i++) {
        copy(i % 2 == 0 ? renewed : old, files);
        server.reloadTls();
        TimeUnit.MILLISECONDS.sleep(25);
      }
      over.set(true);
      for (CompletableFuture<Void> client : clients) {
        client.get(20, TimeUnit.SECONDS);
      }
      kept.send(GET).readTo("\r\n\r\nx");
      assertEquals(Set.of(old.certificate(), renewed.certificate()), shown);
      assertTrue(answers.get() >= 10, answers::toString);
      assertEquals(0, server.failedHandshakes());
    }
  }

  @Test
  void invalidFilesChangeNothing() throws Exception {
    Tls.Pem files = (Tls.Pem) Tls.pem(folder.resolve("half.crt"), folder.resolve("half.key"));
    copy(old, files);
    try (Server server = serve(options().tls(files))) {
      Files.copy(renewed.pemFile(), files.certificate(), StandardCopyOption.REPLACE_EXISTING);
      IOException e = assertThrows(IOException.class, server::reloadTls);
      assertEquals(
          "tls: " + files.key() + ": private key does not match the certificate", e.getMessage());
      assertEquals(old.certificate(), TlsSocket.shown(server, "TLSv1.3", "localhost"));
    }
  }

  @Test
  void aServerWithoutTlsCannotReload() throws Exception {
    try (Server server = serve(options())) {
      assertThrows(IllegalStateException.class, server::reloadTls);
      assertEquals(0, server.failedHandshakes());
    }
  }
}
