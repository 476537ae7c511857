package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.Exchange;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.Service;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections begin and end. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT) // each test waits, with its own server
final class NioConnectionTest {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final String UPGRADE =
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";

  private static Server serve(ListenOptions options, Handler handler) throws IOException {
    return new NioEngine()
        .listen(Chain.service(new Settings(), handler), options.host("127.0.0.1"));
  }

  /** Whether the client of {@link #exchange} has ended its output. */
  private volatile boolean outputEnded;

  private String exchange(Server server, String bytes) throws IOException {
    outputEnded = false;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000); // longer than the timeouts of the tests
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      outputEnded = true;
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Waits until the server has received the end of the client's output. */
  private void awaitEndOfOutput() throws InterruptedException {
    while (!outputEnded) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(80);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aClientThatEndsItsOutputStillGetsItsResponses(boolean late) throws Exception {
    Handler handler =
        (req, res) -> {
          // An immediate response may be sent before the end of an incomplete body arrives.
          if (late || req.path().equals("/cut")) {
            awaitEndOfOutput();
          }
          res.send(req.path());
        };
    try (Server server = serve(ListenOptions.ofPort(0).threads(ThreadMode.POOL), handler)) {
      assertTrue(exchange(server, GET).endsWith("\r\n\r\n/"));
      String two = exchange(server, "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n" + GET);
      assertTrue(two.contains("\r\n\r\n/1HTTP/1.1 200 OK\r\n") && two.endsWith("\r\n\r\n/"), two);
      assertEquals("", exchange(server, ""));
      assertEquals("", exchange(server, "GET / HTTP/1.1\r\nHo"));
      assertEquals(
          "", exchange(server, "POST /cut HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx"));
    }
  }

  @Test
  void anHttp10ClientWithKeepAliveGetsKeepAlive() throws Exception {
    try (Server server = serve(ListenOptions.ofPort(0), (req, res) -> res.send("x"));
        RawSocket socket = new RawSocket(server)) {
      String get = "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n";
      String response = socket.send(get).readTo("\r\n\r\nx");
      assertTrue(response.contains("Connection: keep-alive\r\n"), response);
      socket.send(get).readTo("\r\n\r\nx");
      assertTrue(socket.send("GET / HTTP/1.0\r\n\r\n").readToClose().contains("Connection: close"));
    }
  }

  @Test
  void inHttp10ABodyOfUnknownLengthEndsWithTheConnection() throws Exception {
    Handler pieces =
        (req, res) -> {
          res.write("one,");
          res.end("two");
        };
    ListenOptions patient = ListenOptions.ofPort(0).idleTimeout(Duration.ofSeconds(60));
    try (Server server = serve(patient, pieces);
        RawSocket socket = new RawSocket(server)) {
      String get = "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
      String response = socket.send(get).readToClose();
      assertTrue(response.endsWith("\r\n\r\none,two"), response);
      assertTrue(response.contains("Connection: close\r\n"), response);
      assertFalse(response.contains("chunked"), response);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 3_000, 9_000, 60_000})
  void aLongResponseHeaderIsSentCompletely(int length) throws Exception {
    String value = "v".repeat(length);
    try (Server server =
            serve(ListenOptions.ofPort(0), (req, res) -> res.set("X-Long", value).send("x"));
        RawSocket socket = new RawSocket(server)) {
      String response = socket.send(GET).readTo("\r\n\r\nx");
      assertTrue(response.contains("X-Long: " + value + "\r\n"), response);
      assertTrue(response.startsWith("HTTP/1.1 200 "), response);
    }
  }

  @Test
  void aClientThatSendsTooMuchStillReadsTheWholeRejection() throws Exception {
    String page = "#".repeat(200_000);
    Handler rejecting = (req, res) -> res.status(413).send(page);
    byte[] body = new byte[4 << 20];
    try (Server server = serve(ListenOptions.ofPort(0), rejecting)) {
      List<CompletableFuture<String>> clients = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        clients.add(CompletableFuture.supplyAsync(() -> upload(server, body)));
      }
      for (CompletableFuture<String> client : clients) {
        assertTrue(client.get(30, TimeUnit.SECONDS).endsWith(page));
      }
    }
  }

  /** Sends a whole body before it reads. */
  private static String upload(Server server, byte[] body) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      String head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length + "\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write(body);
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void clientsThatConnectBeforeTheServerIsClosedAreServed() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Handler handler =
        (req, res) -> {
          end.await();
          res.send("x");
        };
    Server server = serve(ListenOptions.ofPort(0).threads(ThreadMode.POOL), handler);
    List<RawSocket> clients = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      clients.add(new RawSocket(server).send(GET));
    }
    CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
    while (!server.isShuttingDown()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    TimeUnit.MILLISECONDS.sleep(80);
    end.countDown();
    for (RawSocket client : clients) {
      String response = client.readToClose();
      assertTrue(response.endsWith("\r\n\r\nx"), response);
      assertTrue(response.contains("Connection: close\r\n"), response);
      client.close();
    }
    closing.get(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void newClientsAreServedSoonWhileHandlersUseAllProcessors(ThreadMode mode) throws Exception {
    assumeTrue(mode != ThreadMode.VIRTUAL || VirtualThreads.available());
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch begun = new CountDownLatch(Runtime.getRuntime().availableProcessors());
    Handler computing =
        (req, res) -> {
          begun.countDown();
          while (req.path().equals("/compute") && !over.get()) {
            Thread.onSpinWait();
          }
          res.send("x");
        };
    List<RawSocket> all = new ArrayList<>();
    try (Server server = serve(ListenOptions.ofPort(0).threads(mode), computing)) {
      while (begun.getCount() > 0 && all.size() < 40) {
        all.add(new RawSocket(server).send("GET /compute HTTP/1.1\r\nHost: a\r\n\r\n"));
        boolean ignored = begun.await(50, TimeUnit.MILLISECONDS);
      }
      for (int i = 0; i < 4; i++) {
        long asked = System.nanoTime();
        try (RawSocket socket = new RawSocket(server)) {
          String response = socket.send(GET).readTo("\r\n");
          assertTrue(response.startsWith("HTTP/1.1 200 ") || response.startsWith("HTTP/1.1 503 "));
        }
        long taken = System.nanoTime() - asked;
        assertTrue(taken < TimeUnit.SECONDS.toNanos(1), taken / 1_000_000 + " ms");
      }
      over.set(true);
      for (RawSocket socket : all) {
        String response = socket.readTo("\r\n");
        assertTrue(response.startsWith("HTTP/1.1 200 ") || response.startsWith("HTTP/1.1 503 "));
        socket.close();
      }
    }
  }

  @Test
  void bytesAfterTheCurrentRequestAreReadUpToALimit() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Handler waiting =
        (req, res) -> {
          end.await();
          res.send("x");
        };
    BodyMemory memory = BodyMemory.of("256mb");
    ListenOptions options = ListenOptions.ofPort(0).threads(ThreadMode.POOL).bodyMemory(memory);
    InetAddress here = InetAddress.getLoopbackAddress();
    try (Server server = serve(options, waiting);
        SocketChannel client = SocketChannel.open(new InetSocketAddress(here, server.port()))) {
      client.configureBlocking(false);
      byte[] many = GET.repeat(2000).getBytes(StandardCharsets.ISO_8859_1);
      long sent = 0;
      for (int full = 0; full < 10 && sent < 64 << 20; ) {
        int count = client.write(ByteBuffer.wrap(many));
        sent += count;
        full = count == 0 ? full + 1 : 0;
        TimeUnit.MILLISECONDS.sleep(count == 0 ? 8 : 0);
      }
      assertTrue(sent < 32 << 20, sent + " bytes");
      assertTrue(memory.maxHeld() < 256 << 10, memory.maxHeld() + " bytes are kept");
      end.countDown();
    }
  }

  @Test
  void aClientThatEndsItsOutputGetsTheRestOfALongResponse() throws Exception {
    byte[] page = new byte[16 << 20]; // more than the socket buffers hold
    try (Server server = serve(ListenOptions.ofPort(0), (req, res) -> res.end(page));
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(GET.getBytes(StandardCharsets.ISO_8859_1));
      TimeUnit.MILLISECONDS.sleep(80); // the response is written, and waits for the client
      socket.shutdownOutput();
      TimeUnit.MILLISECONDS.sleep(80);
      int taken = socket.getInputStream().readAllBytes().length;
      assertTrue(taken > page.length, taken + " bytes");
    }
  }

  @Test
  void partsOfALongResponseAreSentWithoutDelay() throws Exception {
    byte[] page = new byte[1 << 20]; // takes several iterations of the loop
    int responses = 40;
    try (Server server = serve(ListenOptions.ofPort(0), (req, res) -> res.end(page));
        RawSocket socket = new RawSocket(server)) {
      long begun = System.nanoTime();
      for (int i = 0; i < responses; i++) {
        socket.send(GET).readTo("\r\n\r\n");
        assertEquals(page.length, socket.read(page.length).length());
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      assertTrue(millis < 100L * responses, millis + " ms"); // an idle loop waits longer
    }
  }

  @ParameterizedTest
  @EnumSource
  void responsesThatJustFitOneBufferOrJustDoNotAreComplete(ThreadMode mode) throws Exception {
    assumeTrue(mode != ThreadMode.VIRTUAL || VirtualThreads.available());
    Handler sized = (req, res) -> res.send("#".repeat(Integer.parseInt(req.path().substring(1))));
    try (Server server = serve(ListenOptions.ofPort(0).threads(mode), sized);
        RawSocket socket = new RawSocket(server)) {
      for (int size = (32 << 10) - 300; size < (32 << 10) + 30; size += 11) { // including the head
        String head = socket.send(GET.replace("/ ", "/" + size + " ")).readTo("\r\n\r\n");
        assertTrue(head.contains("Content-Length: " + size + "\r\n"), head);
        assertEquals("#".repeat(size), socket.read(size));
      }
    }
  }

  @Test
  void anUpgradedConnectionContinuesAfterItsClientEndsItsOutput() throws Exception {
    Consumer<Exchange> answersLate =
        exchange ->
            exchange.read(
                (piece, failure) ->
                    CompletableFuture.delayedExecutor(4, TimeUnit.SECONDS)
                        .execute(() -> exchange.end(ByteBuffer.wrap(new byte[] {'x'}))));
    try (Server server = handsOver(answersLate);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(UPGRADE.getBytes(StandardCharsets.ISO_8859_1));
      assertEquals('H', socket.getInputStream().read()); // the connection has been upgraded
      socket.shutdownOutput();
      byte[] rest = socket.getInputStream().readAllBytes();
      assertTrue(new String(rest, StandardCharsets.ISO_8859_1).endsWith("\r\n\r\nx"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 80})
  void anUpgradeHandlerIsNotifiedIfItsClientHasAlreadyLeft(int millis) throws Exception {
    CompletableFuture<String> told = new CompletableFuture<>();
    Consumer<Exchange> reading =
        exchange -> exchange.read((piece, failure) -> told.complete(piece + " " + failure));
    try (Server server = handsOver(millis, reading)) {
      try (RawSocket socket = new RawSocket(server)) {
        socket.send(UPGRADE);
      }
      assertEquals("null null", told.get(20, TimeUnit.SECONDS));
    }
  }

  @Test
  void bytesBeforeTheEndAreReadFirst() throws Exception {
    Consumer<Exchange> twice =
        exchange ->
            exchange.read(
                (piece, failure) ->
                    exchange.read((next, none) -> exchange.end(piece == null ? NONE : piece)));
    try (Server server = handsOver(80, twice)) {
      assertTrue(exchange(server, UPGRADE + "before").endsWith("\r\n\r\nbefore"));
    }
  }

  private static Server handsOver(Consumer<Exchange> taker) throws IOException {
    return handsOver(0, taker);
  }

  private static Server handsOver(int millis, Consumer<Exchange> taker) throws IOException {
    Service service =
        new Service() {
          @Override
          public void serve(Exchange exchange) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
            exchange.upgrade(Headers.of("Upgrade", "x"), () -> taker.accept(exchange));
          }

          @Override
          public void onRejected(Exchange exchange, int status, Headers headers) {}
        };
    ListenOptions options = ListenOptions.ofPort(0).host("127.0.0.1").threads(ThreadMode.POOL);
    return new NioEngine().listen(service, options.shutdownTimeout(Duration.ofMillis(50)));
  }

  @Test
  void aHeadThatHasBegunWhenTheServerClosesIsServed() throws Exception {
    Server server = serve(ListenOptions.ofPort(0), (req, res) -> res.send("x"));
    try (RawSocket socket = new RawSocket(server);
        RawSocket idle = new RawSocket(server)) {
      idle.send(GET).readTo("\r\n\r\nx");
      socket.send("GET / HTTP/1.1\r\nHo");
      TimeUnit.MILLISECONDS.sleep(80);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(server::close);
      assertEquals("", idle.readToClose());
      assertTrue(socket.send("st: a\r\n\r\n").readToClose().endsWith("\r\n\r\nx"));
      closing.get(20, TimeUnit.SECONDS);
    }
  }

  @Test
  void memoryOfPipelinedBytesIsReleasedWhenTheClientDisconnects() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Handler waiting =
        (req, res) -> {
          end.await();
          res.send("x");
        };
    BodyMemory memory = BodyMemory.of("1mb");
    ListenOptions options = ListenOptions.ofPort(0).threads(ThreadMode.POOL).bodyMemory(memory);
    try (Server server = serve(options, waiting)) {
      try (RawSocket socket = new RawSocket(server).send(GET + GET)) {
        await(() -> memory.held() > 0, "nothing was counted");
        socket.reset();
        await(() -> memory.held() == 0, memory::toString);
      } finally {
        end.countDown();
      }
    }
  }

  @Test
  void bytesAfterTheLastResponseAreReadForAWhileOnly() throws Exception {
    try (Server server = serve(ListenOptions.ofPort(0), (req, res) -> res.send("x"));
        RawSocket socket = new RawSocket(server)) {
      String rejection = socket.send("nonsense\r\n\r\n").readToClose();
      assertTrue(rejection.startsWith("HTTP/1.1 400 "), rejection);
      await(() -> isReset(socket), "still open");
    }
  }

  @Test
  void clientsRejectedByBlockedLoopsAreReadForAWhileOnly() throws Exception {
    CountDownLatch held = new CountDownLatch(Runtime.getRuntime().availableProcessors());
    CountDownLatch end = new CountDownLatch(1);
    Handler holding =
        (req, res) -> {
          held.countDown();
          end.await();
          res.send("x");
        };
    ListenOptions options = ListenOptions.ofPort(0).threads(ThreadMode.EVENT_LOOP);
    List<RawSocket> all = new ArrayList<>();
    try (Server server = serve(options, holding)) {
      try {
        while (held.getCount() > 0 && all.size() < 80) {
          all.add(new RawSocket(server).send(GET));
          boolean ignored = held.await(50, TimeUnit.MILLISECONDS);
        }
        RawSocket rejected = new RawSocket(server);
        all.add(rejected);
        String response = rejected.readToClose();
        assertTrue(response.startsWith("HTTP/1.1 503 "), response);
        await(() -> isReset(rejected), "still open");
      } finally {
        end.countDown();
      }
    } finally {
      for (RawSocket socket : all) {
        socket.close();
      }
    }
  }

  /** Returns true if the server no longer accepts bytes. */
  private static boolean isReset(RawSocket socket) {
    try {
      socket.send("x");
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  private static void await(BooleanSupplier condition, String otherwise) throws Exception {
    await(condition, () -> otherwise);
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise)
      throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, otherwise);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }
}
