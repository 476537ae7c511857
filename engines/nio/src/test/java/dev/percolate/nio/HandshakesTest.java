package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.fixtures.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Handshakes that are malformed, slow, or many at once. The system property {@code tls.probes} sets
 * the number of malformed ones.
 */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class HandshakesTest extends HostileTls {

  private static final int HELLOS = Integer.getInteger("tls.probes", 150);

  @Test
  void clearTextGetsNoResponse() throws Exception {
    try (Server server = serve(options())) {
      for (String text : new String[] {GET, "\r\n", "x", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}) {
        assertEquals(0, answer(server, text.getBytes(StandardCharsets.US_ASCII)).length);
      }
      await(() -> server.failedHandshakes() == 4);
    }
  }

  @Test
  void incompleteHandshakesAreClosedInTime() throws Exception {
    ListenOptions options = options().headerTimeout(Duration.ofSeconds(1));
    try (Server server = serve(options)) {
      byte[] hello = hello(server, "TLSv1.3");
      long begun = System.nanoTime();
      List<Socket> clients = new ArrayList<>();
      for (int length : new int[] {0, 1, 5, 100, hello.length - 1, hello.length}) {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
        client.getOutputStream().write(hello, 0, length);
        clients.add(client);
      }
      Socket dripping = new Socket(InetAddress.getLoopbackAddress(), server.port());
      clients.add(dripping);
      for (int i = 0; i < 15; i++) {
        dripping.getOutputStream().write(hello, i, 1);
        TimeUnit.MILLISECONDS.sleep(50);
      }
      for (Socket client : clients) {
        readAll(client);
        client.close();
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 5_000, millis + " ms");
      await(() -> server.failedHandshakes() == clients.size() + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void malformedHellosLeakNothing(String version) throws Exception {
    ListenOptions options = options().maxConnections(20).headerTimeout(Duration.ofSeconds(30));
    try (Server server = serve(options)) {
      byte[] hello = hello(server, version);
      Random random = new Random(7);
      for (int i = 0; i < HELLOS; i++) {
        sendAndLeave(server, broken(hello, random));
      }
      await(() -> server.failedHandshakes() > HELLOS && server.connections() == 0);
      List<RecordClient> clients = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        clients.add(agreed(server, version));
      }
      for (RecordClient client : clients) {
        client.send(GET);
        client.readTo("\r\n\r\nx");
        client.close();
      }
    }
  }

  private static void sendAndLeave(Server server, byte[] bytes) throws Exception {
    for (int tries = 0; tries < 1000; tries++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
        readAll(socket);
        return;
      } catch (IOException e) {
        TimeUnit.MILLISECONDS.sleep(1); // too many at once
      }
    }
    throw new AssertionError("no connection was accepted");
  }

  private static byte[] broken(byte[] hello, Random random) {
    byte[] bytes = hello.clone();
    switch (random.nextInt(4)) {
      case 0 -> random.nextBytes(bytes);
      case 1 -> {
        random.nextBytes(bytes);
        System.arraycopy(hello, 0, bytes, 0, 6); // so that it looks like a ClientHello
      }
      case 2 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length));
      default -> {
        for (int i = random.nextInt(8); i >= 0; i--) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
      }
    }
    return bytes;
  }

  @Test
  void aStoppedHandshakeReleasesItsSlotIfOthersWait() throws Exception {
    ListenOptions options = options().maxConnections(8); // two slots
    try (Server server = serve(options)) {
      byte[] hello = hello(server, "TLSv1.3");
      List<Socket> stopping = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
        client.getOutputStream().write(hello);
        stopping.add(client);
      }
      long begun = System.nanoTime();
      try (RecordClient client = agreed(server, "TLSv1.3")) {
        client.send(GET);
        client.readTo("\r\n\r\nx");
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 6_000, millis + " ms");
      for (Socket client : stopping) {
        client.close();
      }
    }
  }

  @Test
  void timeThatAClientWaitsForASlotDoesNotCount() throws Exception {
    Duration time = Duration.ofMillis(400);
    try (Server server = serve(options().maxConnections(7).headerTimeout(time))) { // one slot
      byte[] hello = hello(server, "TLSv1.3");
      List<Socket> stopping = new ArrayList<>();
      for (int i = 0; i < 4; i++) { // each takes the slot for its whole time
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
        client.getOutputStream().write(hello);
        stopping.add(client);
      }
      TimeUnit.MILLISECONDS.sleep(50);
      long begun = System.nanoTime();
      try (RecordClient client = agreed(server, "TLSv1.3")) {
        assertTrue(System.nanoTime() - begun > 2 * time.toNanos());
        client.send(GET);
        client.readTo("\r\n\r\nx");
      }
      for (Socket client : stopping) {
        client.close();
      }
    }
  }

  @Test
  void clientsThatDisconnectInAHandshakeReleaseTheirSlots() throws Exception {
    ListenOptions options = options().maxConnections(30); // seven slots
    try (Server server = serve(options)) {
      byte[] hello = hello(server, "TLSv1.3");
      for (int round = 0; round < 10; round++) {
        List<RawSocket> leaving = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          RawSocket client = new RawSocket(server);
          leaving.add(client.send(new String(hello, StandardCharsets.ISO_8859_1)));
        }
        TimeUnit.MILLISECONDS.sleep(round);
        for (RawSocket client : leaving) {
          client.reset();
        }
        long failed = 1 + 20L * (round + 1);
        await(() -> server.failedHandshakes() == failed);
      }
      for (int i = 0; i < 10; i++) {
        try (RecordClient client = agreed(server, "TLSv1.3")) {
          client.send(GET);
          client.readTo("\r\n\r\nx");
        }
      }
    }
  }

  @Test
  void moreHandshakesThanSlotsAreAllServed() throws Exception {
    ListenOptions options = options().maxConnections(100); // 25 slots
    try (Server server = serve(options)) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        clients.add(
            CompletableFuture.runAsync(
                () -> {
                  try (RecordClient client = agreed(server, "TLSv1.3")) {
                    client.send(GET);
                    client.readTo("\r\n\r\nx");
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                },
                task -> new Thread(task).start()));
      }
      for (CompletableFuture<Void> client : clients) {
        client.get(30, TimeUnit.SECONDS);
      }
      assertEquals(0, server.failedHandshakes());
    }
  }

  @Test
  void aClientWithoutACommonProtocolGetsAnAlert() throws Exception {
    try (Server server = serve(options())) {
      SSLParameters parameters = TlsSocket.parameters("TLSv1.3");
      parameters.setApplicationProtocols(new String[] {"h2", "spdy/3"});
      Exception e =
          assertThrows(
              SSLHandshakeException.class,
              () ->
                  new TlsSocket(server, TestCertificate.trusting(certificate), parameters).close());
      assertTrue(String.valueOf(e.getMessage()).contains("no_application_protocol"), e::toString);
      parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      try (TlsSocket socket =
          new TlsSocket(server, TestCertificate.trusting(certificate), parameters)) {
        assertEquals("http/1.1", socket.socket().getApplicationProtocol());
        socket.send(GET).readTo("\r\n\r\nx");
      }
    }
  }

  @Test
  void aClientThatOffersOnlyHttp10IsServed() throws Exception {
    try (Server server = serve(options())) {
      SSLParameters parameters = TlsSocket.parameters("TLSv1.3");
      parameters.setApplicationProtocols(new String[] {"http/1.0"});
      try (TlsSocket socket =
          new TlsSocket(server, TestCertificate.trusting(certificate), parameters)) {
        assertEquals("http/1.0", socket.socket().getApplicationProtocol());
        String response = socket.send("GET / HTTP/1.0\r\n\r\n").readToClose();
        assertTrue(
            response.startsWith("HTTP/1.1 200 OK\r\n") && response.endsWith("\r\n\r\nx"), response);
      }
    }
  }
}
