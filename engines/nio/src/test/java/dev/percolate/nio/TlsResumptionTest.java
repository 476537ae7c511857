package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Tls;
import dev.percolate.fixtures.TestCertificate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions are resumed only by clients that send the same server name again. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class TlsResumptionTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /** Names with a certificate, names without one, and no name. */
  private static final List<String> NAMES =
      List.of("localhost", "a.test", "x.w.test", "y.w.test", "c.test", "d.test", "");

  @TempDir private static Path folder;
  private static TestCertificate first;
  private static TestCertificate second;

  @BeforeAll
  static void makeCertificates() throws Exception {
    first = TestCertificate.make(folder.resolve("a.p12"), "EC", "localhost", "a.test", "*.w.test");
    second = TestCertificate.make(folder.resolve("b.p12"), "EC", "b.test");
  }

  private static Server serve(Tls tls) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").tls(tls);
    return new NioEngine()
        .listen(Chain.service(new Settings(), (req, res, next) -> res.end("x")), options);
  }

  /** Connects, sends a request so that tickets arrive, and returns when the session began. */
  private static long begun(Server server, SSLContext client, String version, String name)
      throws Exception {
    SSLParameters parameters = TlsSocket.parameters(version);
    parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
    TimeUnit.MILLISECONDS.sleep(3); // the test distinguishes sessions by their creation time
    try (TlsSocket socket = new TlsSocket(server, client, parameters)) {
      socket.send(GET).readTo("\r\n\r\nx");
      return socket.session().getCreationTime();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void theSameNameResumesForAnyName(String version) throws Exception {
    try (Server server = serve(Tls.byName(first.tls(), second.tls()))) {
      for (String name : NAMES) {
        SSLContext client = TestCertificate.trusting(first, second);
        long before = begun(server, client, version, name);
        for (int i = 0; i < 3; i++) {
          assertEquals(before, begun(server, client, version, name), name);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void clientsWithCertificatesResumeTheirSessions(String version) throws Exception {
    try (Server server = serve(first.tls().requireClientCertificates(second.pemFile()))) {
      SSLContext client = second.showing(first);
      long before = begun(server, client, version, "localhost");
      assertEquals(before, begun(server, client, version, "localhost"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void reloadedCertificatesBeginNewSessions(String version) throws Exception {
    try (Server server = serve(first.tls())) {
      SSLContext client = TestCertificate.trusting(first);
      long before = begun(server, client, version, "localhost");
      server.reloadTls();
      assertTrue(before != begun(server, client, version, "localhost"));
    }
  }

  @ParameterizedTest
  @CsvSource({"-tls1_2,", "-tls1_2, -no_ticket", "-tls1_3,"})
  void anotherNameDoesNotResume(String version, @Nullable String ticket) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")));
    // The JDK's client would send the name with which the session began.
    try (Server server = serve(Tls.byName(first.tls(), second.tls()))) {
      for (String name : List.of("a.test", "b.test", "c.test")) {
        Path session = folder.resolve("session" + version + ticket + name);
        openssl(server, version, ticket, name, "-sess_out", session);
        assertEquals("Reused", openssl(server, version, ticket, name, "-sess_in", session));
        for (String other : List.of("localhost", "x.w.test", "d.test")) {
          assertEquals("New", openssl(server, version, ticket, other, "-sess_in", session));
        }
      }
    }
  }

  /** Sends one request; returns {@code New} or {@code Reused}. */
  private static String openssl(
      Server server, String version, @Nullable String ticket, String name, String use, Path session)
      throws Exception {
    List<String> command = new ArrayList<>(List.of("/usr/bin/openssl", "s_client", version));
    command.addAll(List.of("-connect", "127.0.0.1:" + server.port(), "-servername", name));
    command.addAll(List.of(use, session.toString(), "-ign_eof"));
    if (ticket != null) {
      command.add(ticket);
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process
        .getOutputStream()
        .write(GET.replace("Host", "Connection: close\r\nHost").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String line =
        said.lines().filter(one -> one.matches("(New|Reused), .*")).findFirst().orElse("");
    return line.isEmpty() ? said : line.substring(0, line.indexOf(','));
  }
}
