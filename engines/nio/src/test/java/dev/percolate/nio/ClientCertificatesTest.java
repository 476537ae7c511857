package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Tls;
import dev.percolate.fixtures.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Client certificates. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
final class ClientCertificatesTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir private static Path folder;
  private static TestCertificate site;
  private static TestCertificate staff;
  private static TestCertificate stranger;

  @BeforeAll
  static void makeCertificates() throws Exception {
    site = TestCertificate.make(folder.resolve("site.p12"), "EC", "localhost");
    staff = TestCertificate.make(folder.resolve("staff.p12"), "EC", "localhost");
    stranger = TestCertificate.make(folder.resolve("stranger.p12"), "EC", "localhost");
  }

  private static void tell(Request req, Response res, Next next) {
    List<X509Certificate> shown = req.clientCertificates();
    res.end(shown.isEmpty() ? "nobody#" : shown.get(0).getSubjectX500Principal().getName() + "#");
  }

  private static Server serve(Tls tls) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").tls(tls);
    return new NioEngine()
        .listen(Chain.service(new Settings(), ClientCertificatesTest::tell), options);
  }

  private static String asked(Server server, SSLContext context, String version) throws Exception {
    try (TlsSocket socket = new TlsSocket(server, context, version)) {
      String response = socket.send(GET).readTo("#");
      return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
  }

  private static void assertSays(String expected, Server server, SSLContext client, String version)
      throws Exception {
    String said = asked(server, client, version);
    assertTrue(said.equals(expected), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void certificatesAreReportedAndOptional(String version) throws Exception {
    try (Server server = serve(site.tls().acceptClientCertificates(staff.pemFile()))) {
      SSLContext known = staff.showing(site);
      for (int i = 0; i < 3; i++) { // later connections resume the first session
        assertSays("CN=staff.p12#", server, known, version);
      }
      assertSays("nobody#", server, TestCertificate.trusting(site), version);
      // The client does not send a certificate whose issuer the server has not named.
      assertSays("nobody#", server, stranger.showing(site), version);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void clientsWithoutARequiredCertificateAreRejected(String version) throws Exception {
    try (Server server = serve(site.tls().requireClientCertificates(staff.pemFile()))) {
      assertSays("CN=staff.p12#", server, staff.showing(site), version);
      SSLContext none = TestCertificate.trusting(site);
      assertThrows(IOException.class, () -> asked(server, none, version));
      assertThrows(IOException.class, () -> asked(server, stranger.showing(site), version));
      long end = System.nanoTime() + 10_000_000_000L;
      while (server.failedHandshakes() < 2) {
        assertTrue(System.nanoTime() < end, () -> server.failedHandshakes() + " counted");
        Thread.onSpinWait();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void withoutARequestNoCertificateIsSent(String version) throws Exception {
    try (Server server = serve(site.tls())) {
      assertSays("nobody#", server, staff.showing(site), version);
    }
  }
}
