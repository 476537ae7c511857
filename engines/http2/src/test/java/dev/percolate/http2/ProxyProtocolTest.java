package dev.percolate.http2;

import static dev.percolate.fixtures.ProxyHeaders.v1;
import static dev.percolate.fixtures.ProxyHeaders.v2;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.ProxyHeaders;
import dev.percolate.fixtures.TestCertificate;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's address from a PROXY header, also over HTTP/2, and with HAProxy if installed. */
@Timeout(90)
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class ProxyProtocolTest {

  private static final List<Path> HAPROXY =
      List.of(Path.of("/usr/sbin/haproxy"), Path.of("/usr/local/sbin/haproxy"));

  /** A second address of this machine, from which clients connect to HAProxy. */
  private static final String CLIENT = "127.0.0.7";

  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static Server plain;
  private static Server secure;

  @BeforeAll
  static void serve() throws Exception {
    certificate = TestCertificate.make(folder);
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").proxyProtocol("127.0.0.1/32", "::1");
    plain = listen(options.http2PriorKnowledge(true));
    secure = listen(options.tls(certificate.tls()));
  }

  @AfterAll
  static void close() {
    plain.close();
    secure.close();
  }

  private static Server listen(ListenOptions options) throws IOException {
    Handler shows =
        (req, res) -> res.end("[" + req.httpVersion() + " " + req.secure() + " " + req.ip() + "]");
    return new NioEngine().listen(Chain.service(new Settings(), shows), options);
  }

  private static Socket connect(int port, String from) throws IOException {
    InetAddress here = InetAddress.getAllByName("127.0.0.1")[0];
    Socket socket = new Socket(here, port, InetAddress.getAllByName(from)[0], 0);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static SSLSocket secure(Socket below, String protocol) throws Exception {
    SSLSocket socket =
        (SSLSocket)
            TestCertificate.trusting(certificate)
                .getSocketFactory()
                .createSocket(below, "localhost", below.getPort(), true);
    SSLParameters offers = socket.getSSLParameters();
    offers.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(offers);
    socket.startHandshake();
    assertEquals(protocol, socket.getApplicationProtocol());
    return socket;
  }

  private static void send(Socket socket, String latin1) throws IOException {
    socket.getOutputStream().write(latin1.getBytes(ISO_8859_1));
  }

  private static String get(Socket socket) throws IOException {
    send(socket, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    StringBuilder answer = new StringBuilder();
    int next = 0;
    while (next >= 0 && answer.indexOf("]") < 0) {
      next = socket.getInputStream().read();
      answer.append((char) next);
    }
    return answer.substring(Math.max(0, answer.indexOf("[")));
  }

  static Stream<String> headers() {
    return Stream.of(v1("2001:db8::7"), v2("2001:db8::7", ""));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void http2InClearTextHasTheAddressOfTheHeader(String header) throws Exception {
    try (Socket socket = connect(plain.port(), "127.0.0.1");
        FrameClient client = FrameClient.over(socket)) {
      send(socket, header);
      client.begin();
      assertEquals("200 [2.0 false 2001:db8::7]", client.get(1, "/").answer(1));
      assertEquals("200 [2.0 false 2001:db8::7]", client.get(3, "/").answer(3));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 24})
  void theHeaderMayComeWithAPartOfThePreface(int count) throws Exception {
    String preface = new String(FrameClient.PREFACE, ISO_8859_1);
    try (Socket socket = connect(plain.port(), "127.0.0.1");
        FrameClient client = FrameClient.over(socket)) {
      send(socket, v2("2001:db8::7", "") + preface.substring(0, count));
      send(socket, preface.substring(count));
      client.settings();
      client.get(1, "/");
      assertEquals("200 [2.0 false 2001:db8::7]", client.answer(1));
    }
  }

  @ParameterizedTest
  @MethodSource("headers")
  void http2OverTlsHasTheAddressOfTheHeader(String header) throws Exception {
    try (Socket socket = connect(secure.port(), "127.0.0.1")) {
      send(socket, header);
      try (FrameClient client = FrameClient.over(secure(socket, "h2")).begin()) {
        assertEquals("200 [2.0 true 2001:db8::7]", client.get(1, "/").answer(1));
      }
    }
  }

  @Test
  void proxyHeadersOfUntrustedPeersAreRejected() throws Exception {
    try (Socket socket = connect(plain.port(), CLIENT)) {
      send(socket, v2("2001:db8::7", "") + new String(FrameClient.PREFACE, ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    }
    try (Socket socket = connect(plain.port(), CLIENT)) {
      assertEquals("[1.1 false " + CLIENT + "]", get(socket));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"send-proxy", "send-proxy-v2", "send-proxy-v2 proxy-v2-options crc32c,unique-id"})
  void haproxyNamesItsClients(String sends) throws Exception {
    Optional<Path> program = HAPROXY.stream().filter(Files::isExecutable).findFirst();
    assumeTrue(program.isPresent(), "HAProxy is not installed");
    int port;
    int tlsPort;
    try (ServerSocket one = new ServerSocket(0);
        ServerSocket other = new ServerSocket(0)) {
      port = one.getLocalPort();
      tlsPort = other.getLocalPort();
    }
    Path file = folder.resolve("haproxy.cfg");
    Files.writeString(file, configuration(port, tlsPort, sends));
    Process haproxy =
        new ProcessBuilder(program.get().toString(), "-db", "-f", file.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("haproxy.log").toFile())
            .start();
    try {
      awaitPort(port, haproxy);
      awaitPort(tlsPort, haproxy);
      try (Socket socket = connect(port, CLIENT)) {
        assertEquals("[1.1 false " + CLIENT + "]", get(socket));
        assertEquals("[1.1 false " + CLIENT + "]", get(socket));
      }
      try (Socket socket = connect(port, CLIENT);
          FrameClient client = FrameClient.over(socket).begin()) {
        assertEquals("200 [2.0 false " + CLIENT + "]", client.get(1, "/").answer(1));
      }
      try (SSLSocket socket = secure(connect(tlsPort, CLIENT), "http/1.1")) {
        assertEquals("[1.1 true " + CLIENT + "]", get(socket));
      }
      try (FrameClient client = FrameClient.over(secure(connect(tlsPort, CLIENT), "h2")).begin()) {
        assertEquals("200 [2.0 true " + CLIENT + "]", client.get(1, "/").answer(1));
      }
    } finally {
      haproxy.destroy();
      assertTrue(haproxy.waitFor(20, TimeUnit.SECONDS));
    }
  }

  private static String configuration(int port, int tlsPort, String sends) {
    String proxy =
        """
        listen %s
          bind 127.0.0.1:%d
          unique-id-format %%{+X}o%%ci
          server s 127.0.0.1:%d %s check check-send-proxy inter 100ms
        """;
    return """
        defaults
          mode tcp
          timeout connect 5s
          timeout client 20s
          timeout server 20s
        """
        + proxy.formatted("plain", port, plain.port(), sends)
        + proxy.formatted("secure", tlsPort, secure.port(), sends);
  }

  private static void awaitPort(int port, Process haproxy) throws Exception {
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30); ; Thread.sleep(20)) {
      try {
        connect(port, CLIENT).close();
        return;
      } catch (IOException e) {
        boolean goesOn = haproxy.isAlive() && System.nanoTime() - end < 0;
        assertTrue(goesOn, () -> e + "\n" + log());
      }
    }
  }

  private static String log() {
    try {
      return Files.readString(folder.resolve("haproxy.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void theHeaderChangesNothingButTheAddress() throws Exception {
    try (Socket socket = connect(plain.port(), "127.0.0.1")) {
      String claimsTls = ProxyHeaders.extension(0x20, "\1\0\0\0\0!\0\7TLSv1.3");
      send(socket, v2("198.51.100.7", claimsTls));
      assertEquals("[1.1 false 198.51.100.7]", get(socket));
    }
  }
}
