package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.tests.Logged;
import dev.percolate.engine.tests.RawSocket;
import dev.percolate.engine.tests.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTPS, with clients that do not speak it as they should. */
@Timeout(60)
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
final class HostileTlsTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final int HELLOS = 300;

  @TempDir private static Path folder;
  private static TestCertificate certificate;

  private final Logged log = new Logged("");

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(folder);
  }

  @AfterEach
  void nothingIsLogged() {
    log.close();
    assertEquals(List.of(), log.messages());
  }

  private static ListenOptions options() {
    return ListenOptions.ofPort(0).host("127.0.0.1").tls(certificate.tls());
  }

  private static Server serve(ListenOptions options, Handler handler) throws IOException {
    return new NioEngine().listen(Chain.service(new Settings(), handler), options);
  }

  private static Server serve(ListenOptions options) throws IOException {
    return serve(options, (req, res) -> res.send("x"));
  }

  private static RecordClient agreed(Server server, String version) throws Exception {
    return new RecordClient(server, certificate, version).agree();
  }

  private static void await(BooleanSupplier there) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (!there.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "20 s");
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private static byte[] hello(Server server, String version) throws Exception {
    try (RecordClient client = new RecordClient(server, certificate, version)) {
      return client.hello();
    }
  }

  /** Sends bytes, and returns what comes back until the server closes the connection. */
  private static byte[] answer(Server server, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(bytes);
      return readAll(socket);
    }
  }

  private static byte[] readAll(Socket socket) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      for (int b = socket.getInputStream().read(); b >= 0; b = socket.getInputStream().read()) {
        all.write(b);
      }
    } catch (IOException e) {
      // it was reset, since not all was read
    }
    return all.toByteArray();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Test
  void clearTextGetsNoAnswer() throws Exception {
    try (Server server = serve(options())) {
      for (String text : new String[] {GET, "\r\n", "x", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}) {
        assertEquals(0, answer(server, text.getBytes(StandardCharsets.US_ASCII)).length);
      }
      await(() -> server.failedHandshakes() == 4);
    }
  }

  @Test
  void aHelloThatDoesNotEndAndAHandshakeThatStopsAreClosedInTime() throws Exception {
    ListenOptions options = options().headTimeout(Duration.ofSeconds(1));
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
      assertEquals(clients.size() + 1, server.failedHandshakes());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void brokenHellosLeaveNothingBehind(String version) throws Exception {
    ListenOptions options = options().maxConnections(20).headTimeout(Duration.ofSeconds(5));
    try (Server server = serve(options)) {
      byte[] hello = hello(server, version);
      long before = server.failedHandshakes();
      Random random = new Random(7);
      for (int i = 0; i < HELLOS; i++) {
        sendAndLeave(server, broken(hello, random));
      }
      await(() -> server.failedHandshakes() - before >= HELLOS);
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
    throw new AssertionError("nobody is let in");
  }

  private static byte[] broken(byte[] hello, Random random) {
    byte[] bytes = hello.clone();
    switch (random.nextInt(4)) {
      case 0 -> random.nextBytes(bytes);
      case 1 -> {
        random.nextBytes(bytes);
        System.arraycopy(hello, 0, bytes, 0, 6); // so that it looks like a hello at least
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
  void recordsThatAreTooLongAreNotReadOn() throws Exception {
    try (Server server = serve(options())) {
      assertEquals(0, answer(server, new byte[] {22, 3, 1, (byte) 0xff, (byte) 0xff, 1}).length);
      try (RecordClient client = agreed(server, "TLSv1.3")) {
        client.sendRaw(new byte[] {23, 3, 3, 0x41, 0x01, 0, 0});
        assertTrue(client.isClosed());
      }
    }
  }

  @Test
  void noClientMayNegotiateAgain() throws Exception {
    try (Server server = serve(options());
        RecordClient client = agreed(server, "TLSv1.2")) {
      client.send(GET);
      client.readTo("\r\n\r\nx");
      client.sendRaw(client.again());
      assertTrue(client.isClosed());
    }
  }

  @Test
  void newKeysAreHadNowAndThenButNotInAFlood() throws Exception {
    try (Server server = serve(options());
        RecordClient client = agreed(server, "TLSv1.3")) {
      for (int i = 0; i < 40; i++) {
        client.sendRaw(client.again());
        client.send(GET);
        client.readTo("\r\n\r\nx");
      }
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int i = 0; i < 400; i++) {
        byte[] update = client.again();
        assertTrue(update.length > 20);
        flood.writeBytes(update);
      }
      client.sendRaw(flood.toByteArray());
      assertTrue(client.isClosed());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void recordsThatMeanNothingDoNotGoOnForEver(String version) throws Exception {
    byte[] changeCipherSpec = {20, 3, 3, 0, 1, 1};
    try (Server server = serve(options());
        RecordClient client = agreed(server, version)) {
      client.send(GET);
      client.readTo("\r\n\r\nx");
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      for (int i = 0; i < 1000; i++) {
        flood.writeBytes(changeCipherSpec);
      }
      client.sendRaw(flood.toByteArray());
      assertTrue(client.isClosed());
    }
    try (Server server = serve(options().headTimeout(Duration.ofSeconds(30)))) {
      byte[] hello = hello(server, version);
      ByteArrayOutputStream flood = new ByteArrayOutputStream();
      flood.writeBytes(hello);
      for (int i = 0; i < 100_000; i++) {
        flood.writeBytes(changeCipherSpec);
      }
      long begun = System.nanoTime();
      int ignored = answer(server, flood.toByteArray()).length;
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 10_000, millis + " ms");
    }
  }

  @Test
  void aByteInEachRecordHoldsNobodyElse() throws Exception {
    Handler reading =
        (req, res) -> {
          int ignored = req.inputStream(1 << 16).readAllBytes().length;
          res.send("x");
        };
    try (Server server = serve(options(), reading)) {
      List<RecordClient> all = new ArrayList<>();
      List<CompletableFuture<Void>> sending = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        RecordClient client = agreed(server, "TLSv1.3");
        all.add(client);
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000\r\n\r\n");
        ByteArrayOutputStream records = new ByteArrayOutputStream();
        for (int j = 0; j < 8_000; j++) {
          records.writeBytes(client.seal("x"));
        }
        sending.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    client.sendRaw(records.toByteArray());
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      for (int i = 0; i < 8; i++) {
        long begun = System.nanoTime();
        try (RecordClient other = agreed(server, "TLSv1.3")) {
          other.send(GET);
          other.readTo("\r\n\r\nx");
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(millis < 2_000, millis + " ms");
      }
      for (CompletableFuture<Void> one : sending) {
        one.get(20, TimeUnit.SECONDS);
      }
      for (RecordClient client : all) {
        client.readTo("\r\n\r\nx");
        client.send(GET);
        client.readTo("\r\n\r\nx");
        client.close();
      }
    }
  }

  @Test
  void recordsThatComeByteByByteAreRead() throws Exception {
    try (Server server = serve(options());
        RecordClient client = new RecordClient(server, certificate, "TLSv1.3")) {
      for (byte b : client.hello()) {
        client.sendRaw(new byte[] {b});
      }
    }
    try (Server server = serve(options());
        RecordClient client = agreed(server, "TLSv1.3")) {
      for (byte b : concat(client.seal(GET), client.seal(GET))) {
        client.sendRaw(new byte[] {b});
      }
      client.readTo("\r\n\r\nx");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void whoGoesWithoutAWordHasHungUp(String version) throws Exception {
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    Handler silent = (req, res) -> res.onFinish(() -> ended.complete(res.finished()));
    try (Server server = serve(options(), silent);
        RecordClient client = agreed(server, version)) {
      client.send(GET);
      TimeUnit.MILLISECONDS.sleep(50);
      long begun = System.nanoTime();
      client.shutdown();
      assertFalse(ended.get(20, TimeUnit.SECONDS));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 1_500, millis + " ms");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void theEndOfTheAnswersIsSaid(String version) throws Exception {
    String get = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    try (Server server = serve(options(), (req, res) -> res.send("#".repeat(9000)))) {
      try (RecordClient client = agreed(server, version)) {
        client.send(get);
        assertTrue(client.readToCloseNotify().endsWith("#"));
      }
      try (RecordClient client = agreed(server, version)) { // and what comes behind is not read
        client.sendRaw(concat(client.seal(get), client.seal(GET.repeat(100))));
        assertTrue(client.readToCloseNotify().endsWith("#"));
      }
    }
  }

  @Test
  void aConnectionThatAsksForNothingIsClosedWithAWord() throws Exception {
    ListenOptions options = options().headTimeout(Duration.ofMillis(300));
    try (Server server = serve(options);
        RecordClient client = agreed(server, "TLSv1.3")) {
      assertEquals("", client.readToCloseNotify());
    }
  }

  @Test
  void anAnswerThatIsCutOffIsSeenToBe() throws Exception {
    Handler cut =
        (req, res) -> {
          res.write("begun");
          throw new IllegalStateException("on purpose");
        };
    try (Server server = serve(options(), cut);
        RecordClient client = agreed(server, "TLSv1.3")) {
      client.send("GET / HTTP/1.0\r\n\r\n");
      assertThrows(IOException.class, client::readToCloseNotify);
    }
    log.messages().clear();
  }

  @Test
  void theEndOfAnAnswerTo13IsWaitedForByWhoHasSaidTheirs() throws Exception {
    Handler late =
        (req, res) -> {
          Thread.sleep(200);
          res.send("late");
        };
    try (Server server = serve(options().threads(ThreadMode.POOL), late);
        RecordClient client = agreed(server, "TLSv1.3")) {
      client.sendRaw(concat(client.seal(GET), client.closeNotify()));
      assertTrue(client.readToCloseNotify().endsWith("late"));
    }
  }

  @Test
  void whoStopsInAHandshakeKeepsNoPlaceThatOthersWaitFor() throws Exception {
    ListenOptions options = options().maxConnections(8); // two places
    try (Server server = serve(options)) {
      byte[] hello = hello(server, "TLSv1.3");
      List<Socket> stopping = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
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
  void clientsThatLeaveInTheirHandshakeGiveTheirPlacesBack() throws Exception {
    ListenOptions options = options().maxConnections(30); // seven places
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
  void aCrowdOfHandshakesIsServedOneAfterTheOther() throws Exception {
    ListenOptions options = options().maxConnections(100); // 25 places
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
  void aClientThatSpeaksNothingThatWeDoLearnsSo() throws Exception {
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

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void whoSendsTooMuchReadsTheWholeRefusalAllTheSame(String version) throws Exception {
    String refusal = "#".repeat(3000) + "!";
    Handler refusing = (req, res) -> res.status(413).set("Connection", "close").send(refusal);
    try (Server server = serve(options(), refusing);
        RecordClient client = agreed(server, version)) {
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n");
      for (int i = 0; i < 250; i++) {
        client.send("x".repeat(16_000));
      }
      assertTrue(client.readToCloseNotify().endsWith("#!"));
    }
  }

  @Test
  void aClientThatEndsBeforeItsRequestIsWholeIsLeftAlone() throws Exception {
    try (Server server = serve(options());
        RecordClient client = agreed(server, "TLSv1.3")) {
      client.sendRaw(concat(client.seal("GET / HT"), client.closeNotify()));
      assertEquals("", client.readToCloseNotify());
    } catch (EOFException e) {
      throw new AssertionError(e);
    }
  }
}
