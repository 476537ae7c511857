package dev.percolate.nio;

import static dev.percolate.fixtures.ProxyHeaders.LOCAL;
import static dev.percolate.fixtures.ProxyHeaders.extension;
import static dev.percolate.fixtures.ProxyHeaders.v1;
import static dev.percolate.fixtures.ProxyHeaders.v2;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Next;
import dev.percolate.core.RejectionListener;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.fixtures.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The client's address from a PROXY header at the start of a connection. */
@Timeout(60)
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class ProxyProtocolTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** Records the address of each request, including rejected ones. */
  private final class Addresses implements Middleware, RejectionListener {

    @Override
    public void handle(Request req, Response res, Next next) {
      lines.add(req.ip() + " " + req.remoteAddress());
      res.end("[" + req.ip() + " " + req.secure() + " " + req.protocol() + "]");
    }

    @Override
    public void onRejected(Request req, Response res) {
      lines.add(req.ip() + " rejected " + res.status());
    }
  }

  private static ListenOptions options() {
    return ListenOptions.ofPort(0).host("127.0.0.1").proxyProtocol("192.0.2.0/24", "127.0.0.1");
  }

  private Server serve(ListenOptions options) throws IOException {
    return new NioEngine().listen(Chain.service(new Settings(), new Addresses()), options);
  }

  /** Sends bytes and reads until the server closes the connection. */
  private static String closed(RawSocket socket, String bytes) throws IOException {
    try {
      return socket.send(bytes).readToClose();
    } catch (SocketException e) {
      return ""; // the server resets connections that have unread bytes
    }
  }

  static Stream<String> headers() {
    return Stream.of(
        v1("198.51.100.7"),
        v2("198.51.100.7", ""),
        v2("::ffff:198.51.100.7", ""),
        v1("::ffff:198.51.100.7"),
        v2("198.51.100.7", extension(4, "x".repeat(4_000))),
        v2("198.51.100.7", extension(0x20, "\1\0\0\0\0")));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void allRequestsOfAConnectionHaveTheAddressOfTheHeader(String header) throws Exception {
    String expected = "[198.51.100.7 false http]";
    try (Server server = serve(options());
        RawSocket socket = new RawSocket(server)) {
      assertTrue(socket.send(header + GET + GET).readTo(expected).endsWith(expected));
      socket.readTo(expected);
      socket.send(GET).readTo(expected);
      socket.send("GET / HTTP/2.0\r\n\r\n").readToClose();
      for (int i = 0; i < 3; i++) {
        assertEquals("198.51.100.7 198.51.100.7", lines.poll(10, TimeUnit.SECONDS));
      }
      assertEquals("198.51.100.7 rejected 505", lines.poll(10, TimeUnit.SECONDS));
    }
    assertEquals(List.of(), List.copyOf(lines));
  }

  @ParameterizedTest
  @MethodSource("headers")
  void aHeaderMayArriveByteByByte(String header) throws Exception {
    try (Server server = serve(options());
        RawSocket socket = new RawSocket(server)) {
      for (char c : (header.length() > 1000 ? header.substring(0, 40) : header).toCharArray()) {
        socket.send(String.valueOf(c));
      }
      socket.send(header.length() > 1000 ? header.substring(40) : "");
      socket.send(GET).readTo("[198.51.100.7 false http]");
    }
  }

  @Test
  void aHealthCheckOfTheProxyHasTheAddressOfTheProxy() throws Exception {
    try (Server server = serve(options())) {
      for (String header : List.of(v2(LOCAL, 0, ""), "PROXY UNKNOWN\r\n")) {
        try (RawSocket socket = new RawSocket(server)) {
          socket.send(header + GET).readTo("[127.0.0.1 false http]");
        }
      }
    }
  }

  @ParameterizedTest(name = "REQ-17: closed without a response: {0}")
  @ValueSource(
      strings = {
        GET,
        "\r\n" + GET,
        "PROXY TCP4 198.51.100.7 192.0.2.9 0050000 443\r\n" + GET,
        "PROXY TCP6 198.51.100.7 192.0.2.9 50000 443\r\n" + GET,
        "PROXY TCP4 198.51.100.7 192.0.2.9 50000 443\n" + GET,
        "\r\n\r\n\0\r\nQUIT\n!\u0011\0\0" + GET,
        "\r\n\r\n\0\r\nQUIT\n!\u0011\u00ff\u00ff" + GET,
        "\u0016\u0003\u0001\0\u0005hello"
      })
  void aTrustedProxyWithoutAValidHeaderIsClosedWithoutAResponse(String bytes) throws Exception {
    try (Server server = serve(options())) {
      try (RawSocket socket = new RawSocket(server)) {
        assertEquals("", closed(socket, bytes));
      }
      try (RawSocket socket = new RawSocket(server)) {
        socket.send(v1("198.51.100.8") + GET).readTo("[198.51.100.8 false http]");
      }
    }
    assertEquals(1, lines.size(), lines::toString);
  }

  @Test
  void anIncompleteHeaderLeaksNothing() throws Exception {
    try (Server server = serve(options().maxConnectionsPerAddress(2))) {
      for (String header : List.of(v1("198.51.100.7"), v2("198.51.100.7", ""))) {
        for (int end = 0; end < header.length(); end++) {
          try (RawSocket socket = new RawSocket(server)) {
            socket.send(header.substring(0, end)).reset();
          }
        }
        awaitNone(server); // it reads the last resets later
        try (RawSocket socket = new RawSocket(server)) {
          socket.send(header + GET).readTo("[198.51.100.7 false http]");
        }
        awaitNone(server);
      }
    }
    assertEquals(2, lines.size(), lines::toString);
  }

  private static void awaitNone(Server server) throws InterruptedException {
    while (server.connections() > 0) {
      Thread.sleep(1);
    }
  }

  @Test
  void theHeadTimeoutAppliesToTheHeader() throws Exception {
    try (Server server = serve(options().headerTimeout(Duration.ofMillis(80)))) {
      for (String begin : List.of("", "PROXY TCP4 ", v1("198.51.100.7") + "GET / HT")) {
        try (RawSocket socket = new RawSocket(server)) {
          assertEquals("", closed(socket, begin));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("headers")
  void headersOfOtherPeersAreRejected(String header) throws Exception {
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1");
    for (ListenOptions one : List.of(options, options.proxyProtocol("192.0.2.0/24"))) {
      try (Server server = serve(one);
          RawSocket socket = new RawSocket(server)) {
        String response = socket.send(header + GET).readToClose();
        assertTrue(response.startsWith("HTTP/1.1 400 "), response);
        assertEquals("127.0.0.1 rejected 400", lines.poll(10, TimeUnit.SECONDS));
      }
      try (Server server = serve(one);
          RawSocket socket = new RawSocket(server)) {
        socket.send(GET).readTo("[127.0.0.1 false http]");
        lines.take();
      }
    }
  }

  @Test
  void limitsPerAddressAreThoseOfTheClient() throws Exception {
    try (Server server = serve(options().maxConnectionsPerAddress(1));
        RawSocket first = new RawSocket(server);
        RawSocket other = new RawSocket(server);
        RawSocket second = new RawSocket(server)) {
      first.send(v1("198.51.100.7") + GET).readTo("[198.51.100.7 false http]");
      other.send(v1("198.51.100.8") + GET).readTo("[198.51.100.8 false http]");
      assertEquals("", closed(second, v2("198.51.100.7", "") + GET));
      first.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").readToClose();
      while (server.connections() > 1) {
        Thread.sleep(1);
      }
      try (RawSocket again = new RawSocket(server)) {
        again.send(v1("198.51.100.7") + GET).readTo("[198.51.100.7 false http]");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 5, 60, 1000})
  void theHeaderPrecedesTls(int withFirst, @TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    try (Server server = serve(options().tls(certificate.tls()));
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      plain.setSoTimeout(20_000);
      HeadedSocket headed = new HeadedSocket(plain, v2("2001:db8::7", ""), withFirst);
      try (SSLSocket socket = headed.secure(TestCertificate.trusting(certificate))) {
        for (int i = 0; i < 2; i++) {
          socket.getOutputStream().write(GET.getBytes(ISO_8859_1));
          StringBuilder response = new StringBuilder();
          while (response.indexOf("]") < 0) {
            response.append((char) socket.getInputStream().read());
          }
          assertTrue(response.toString().endsWith("[2001:db8::7 true https]"), response::toString);
        }
      }
    }
  }

  @Test
  void tlsWithoutAHeaderIsClosed(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    try (Server server = serve(options().tls(certificate.tls()));
        RawSocket socket = new RawSocket(server)) {
      assertEquals("", closed(socket, "\u0016\u0003\u0001\0\u0005hello"));
    }
    ListenOptions patient = options().headerTimeout(Duration.ofMinutes(5));
    try (Server server = serve(patient.tls(certificate.tls()));
        RawSocket socket = new RawSocket(server)) {
      assertEquals("", closed(socket, v1("192.0.2.1") + "GET / HTTP/1.1\r\n\r\n"));
    }
  }
}
