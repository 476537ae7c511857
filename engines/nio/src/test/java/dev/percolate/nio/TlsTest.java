package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPS with well-behaved clients. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
final class TlsTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir private static Path folder;
  private static TestCertificate certificate;

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(folder);
  }

  private static void route(Request req, Response res, Next next) throws Exception {
    switch (req.path()) {
      case "/echo" -> res.end(req.inputStream(1 << 24).readAllBytes());
      case "/file" -> res.sendFile(Path.of(req.query("name")));
      case "/close" -> res.set("Connection", "close").end("last");
      case "/pieces" -> {
        res.write("one,");
        res.end("two");
      }
      default -> res.end(req.protocol() + " " + req.httpVersion() + " " + req.secure());
    }
  }

  private static Server serve(Tls tls) throws IOException {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").tls(tls);
    return new NioEngine().listen(Chain.service(new Settings(), TlsTest::route), options);
  }

  private static HttpClient client() throws Exception {
    return HttpClient.newBuilder().sslContext(TestCertificate.trusting(certificate)).build();
  }

  private static URI uri(Server server, String target) {
    return URI.create("https://localhost:" + server.port() + target);
  }

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return bytes;
  }

  @Test
  void theClientOfTheJdkReusesItsConnection() throws Exception {
    try (Server server = serve(certificate.tls())) {
      assertEquals("https", server.uri().getScheme());
      HttpClient client = client();
      for (int i = 0; i < 3; i++) {
        HttpResponse<String> response =
            client.send(HttpRequest.newBuilder(uri(server, "/")).build(), BodyHandlers.ofString());
        assertEquals("https 1.1 true", response.body());
        assertEquals(HttpClient.Version.HTTP_1_1, response.version());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void bothVersionsWorkWithEachKindOfKey(String algorithm) throws Exception {
    TestCertificate own =
        TestCertificate.make(folder.resolve(algorithm + ".p12"), algorithm, "localhost");
    try (Server server = serve(own.pem())) {
      for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
        try (TlsSocket socket = new TlsSocket(server, own, version)) {
          assertEquals(version, socket.session().getProtocol());
          for (int i = 0; i < 3; i++) {
            socket.send(GET).readTo("\r\n\r\nhttps 1.1 true");
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void theLastResponseIsFollowedByCloseNotify(String version) throws Exception {
    try (Server server = serve(certificate.tls());
        TlsSocket socket = new TlsSocket(server, certificate, version)) {
      String response = socket.send("GET /close HTTP/1.1\r\nHost: a\r\n\r\n").readToClose();
      assertTrue(response.endsWith("\r\n\r\nlast"), response);
    }
  }

  @Test
  void aClientThatEndsItsOutputStillGetsItsResponses() throws Exception {
    try (Server server = serve(certificate.tls());
        TlsSocket socket = new TlsSocket(server, certificate, "TLSv1.3")) {
      socket.send(GET + GET);
      socket.endOutput();
      assertEquals(2, socket.readToClose().split("https 1.1 true", -1).length - 1);
    }
  }

  @Test
  void requestsInOneRecordAndInManyAreRead() throws Exception {
    try (Server server = serve(certificate.tls());
        TlsSocket socket = new TlsSocket(server, certificate, "TLSv1.3")) {
      socket.send(GET.repeat(40));
      for (int i = 0; i < 40; i++) {
        socket.readTo("https 1.1 true");
      }
      String longer = GET.replace("\r\n\r\n", "\r\nA: " + "b".repeat(4_000) + "\r\n\r\n");
      for (int i = 0; i < longer.length(); i++) {
        socket.send(longer.substring(i, i + 1));
      }
      socket.readTo("https 1.1 true");
      assertTrue(
          socket.send(GET.replace("/ ", "/pieces ")).readTo("two\r\n0\r\n\r\n").length() > 0);
    }
  }

  @Test
  void bodiesAreSentAndReceived() throws Exception {
    HttpClient client = client();
    try (Server server = serve(certificate.tls())) {
      for (int size : new int[] {0, 1, 16383, 16384, 16385, 100_000, 5 << 20}) {
        byte[] body = random(size);
        HttpRequest post =
            HttpRequest.newBuilder(uri(server, "/echo"))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        assertArrayEquals(body, client.send(post, BodyHandlers.ofByteArray()).body());
      }
    }
  }

  @Test
  void filesAreSent() throws Exception {
    HttpClient client = client();
    try (Server server = serve(certificate.tls())) {
      for (int size : new int[] {0, 1, 1000, 65536, 65537, 1 << 20, 4 << 20}) {
        byte[] content = random(size);
        Path file = Files.write(folder.resolve("file-" + size), content);
        HttpRequest get = HttpRequest.newBuilder(uri(server, "/file?name=" + file)).build();
        assertArrayEquals(content, client.send(get, BodyHandlers.ofByteArray()).body());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.2", "1.3"})
  void curlIsServed(String version) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")));
    try (Server server = serve(certificate.pem())) {
      List<String> command = new ArrayList<>(List.of("/usr/bin/curl", "-sS", "--fail"));
      command.addAll(List.of("--tlsv" + version, "--tls-max", version, "--cacert"));
      command.add(certificate.pemFile().toString());
      command.addAll(List.of("--data-binary", "x".repeat(9000), uri(server, "/echo").toString()));
      command.add(uri(server, "/echo").toString());
      Process curl = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, curl.waitFor(), said);
      assertEquals("x".repeat(18_000), said);
    }
  }

  @Test
  void aClosedServerLeaksNoThread() throws Exception {
    try (Server server = serve(certificate.tls());
        TlsSocket socket = new TlsSocket(server, certificate, "TLSv1.3")) {
      socket.send(GET).readTo("https 1.1 true");
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith("percolate-tls"))) {
      assertTrue(System.nanoTime() < end, "a thread is alive");
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Test
  void aClientThatReadsSlowlyGetsAllOfItsFile() throws Exception {
    byte[] content = new byte[3 << 20];
    Path file = Files.write(folder.resolve("slow"), content);
    String get = "GET /file?name=" + file + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    try (Server server = serve(certificate.tls());
        TlsSocket socket = new TlsSocket(server, certificate, "TLSv1.3")) {
      socket.send(get);
      TimeUnit.MILLISECONDS.sleep(80);
      int seen = socket.readTo("\r\n\r\n").length();
      for (int i = 0; i < 20; i++) {
        seen += socket.read(1000).length();
        TimeUnit.MILLISECONDS.sleep(5);
      }
      String rest = socket.readToClose();
      assertEquals(content.length - 20_000, rest.length());
      assertTrue(seen > 20_000);
    }
  }

  @Test
  void aClientThatDoesNotTrustTheServerDisconnects() throws Exception {
    TestCertificate other = TestCertificate.make(folder.resolve("other.p12"), "EC", "localhost");
    try (Server server = serve(certificate.tls())) {
      assertThrows(
          SSLHandshakeException.class, () -> new TlsSocket(server, other, "TLSv1.3").close());
      try (TlsSocket socket = new TlsSocket(server, certificate, "TLSv1.3")) {
        socket.send(GET).readTo("https 1.1 true");
      }
    }
  }

  @Test
  void anIdleConnectionDoesNotDelayClosing() throws Exception {
    Server server = serve(certificate.tls());
    try (TlsSocket socket = new TlsSocket(server, certificate, "TLSv1.3")) {
      long begun = System.nanoTime();
      server.close();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 5_000, millis + " ms");
      assertEquals("", socket.readToClose());
    }
  }

  @Test
  void onlySecureVersionsAndSuitesAreNegotiated() throws Exception {
    try (Server server = serve(certificate.tls())) {
      for (String suite : TlsSocket.allSuites()) {
        String chosen = TlsSocket.agreed(server, certificate, suite);
        boolean good = suite.startsWith("TLS_ECDHE_ECDSA_WITH_") || !suite.contains("_WITH_");
        good &= suite.contains("_GCM_") || suite.contains("_CHACHA20_");
        assertEquals(good ? suite : "none", chosen);
      }
    }
  }

  @Test
  void certificatesAreSelectedByTheClientsServerName() throws Exception {
    Path here = folder.resolve("names");
    Files.createDirectories(here);
    TestCertificate a = TestCertificate.make(here.resolve("a.p12"), "EC", "localhost", "a.test");
    TestCertificate b = TestCertificate.make(here.resolve("b.p12"), "RSA", "*.B.test", "c.test");
    TestCertificate c = TestCertificate.make(here.resolve("c.p12"), "EC", "c.test");
    try (Server server = serve(Tls.byName(a.tls(), b.pem(), c.tls()))) {
      for (String version : new String[] {"TLSv1.2", "TLSv1.3"}) {
        assertEquals(a.certificate(), TlsSocket.shown(server, version, "a.test"));
        assertEquals(b.certificate(), TlsSocket.shown(server, version, "x.b.TEST"));
        assertEquals(a.certificate(), TlsSocket.shown(server, version, "x.y.b.test"));
        assertEquals(a.certificate(), TlsSocket.shown(server, version, "b.test"));
        assertEquals(a.certificate(), TlsSocket.shown(server, version, null));
        assertEquals(c.certificate(), TlsSocket.shown(server, version, "c.test"));
      }
    }
  }

  @Test
  void unreadableFilesAreNamedAtStartup() throws Exception {
    Path empty = Files.write(folder.resolve("empty"), new byte[0]);
    Tls.Pem good = (Tls.Pem) certificate.pem();
    Tls.Pem other =
        (Tls.Pem) TestCertificate.make(folder.resolve("else.p12"), "EC", "localhost").pem();
    assertRejected(Tls.pem(empty, good.key()), empty + ": no BEGIN CERTIFICATE block");
    assertRejected(Tls.pem(good.certificate(), empty), empty + ": no BEGIN PRIVATE KEY block");
    assertRejected(
        Tls.pem(good.certificate(), other.key()),
        other.key() + ": private key does not match the certificate");
    assertRejected(good.requireClientCertificates(empty), empty + ": no BEGIN CERTIFICATE block");
    assertRejected(Tls.byName(good, Tls.keyStore(empty, "x")), empty + ": ");
  }

  private static void assertRejected(Tls tls, String reason) {
    IOException e = assertThrows(IOException.class, () -> serve(tls).close());
    assertTrue(String.valueOf(e.getMessage()).startsWith("tls: " + reason), e.getMessage());
  }
}
