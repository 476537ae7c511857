package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.Logged;
import dev.percolate.fixtures.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The base of tests with clients that violate the TLS protocol. Runs isolated, because it checks
 * the log.
 */
@Isolated
abstract class HostileTls {

  static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir private static Path folder;

  static TestCertificate certificate;

  final Logged log = new Logged("");

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(folder);
  }

  @AfterEach
  void nothingIsLogged() {
    log.close();
    assertEquals(List.of(), log.messages());
  }

  static ListenOptions options() {
    return ListenOptions.ofPort(0).host("127.0.0.1").tls(certificate.tls());
  }

  static Server serve(ListenOptions options, Handler handler) throws IOException {
    return new NioEngine().listen(Chain.service(new Settings(), handler), options);
  }

  static Server serve(ListenOptions options) throws IOException {
    return serve(options, (req, res) -> res.send("x"));
  }

  static RecordClient agreed(Server server, String version) throws Exception {
    return new RecordClient(server, certificate, version).agree();
  }

  static void await(BooleanSupplier there) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!there.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "20 s");
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  static byte[] hello(Server server, String version) throws Exception {
    try (RecordClient client = new RecordClient(server, certificate, version)) {
      return client.hello();
    }
  }

  /** Sends bytes. Returns what the server sends before it closes the connection. */
  static byte[] answer(Server server, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(bytes);
      return readAll(socket);
    }
  }

  static byte[] readAll(Socket socket) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        all.write(b);
      }
    } catch (IOException e) {
      // reset because of unread bytes
    }
    return all.toByteArray();
  }
}
