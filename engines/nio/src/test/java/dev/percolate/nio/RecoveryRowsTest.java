package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Middleware;
import dev.percolate.engine.FatalErrorHandler;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.fixtures.LimitedProcess;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.testkit.Call;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Failures that servers survive, and resources that they release; see docs/security/rows.tsv. */
@Timeout(120)
final class RecoveryRowsTest extends ServerFixture {

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  private static final int ENDED_BY_TERM = 143;
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** How often a server starts and stops: a leak of one thread or file each time is found. */
  private static final int STARTS = 40;

  static List<ThreadMode> blocking() {
    return ThreadMode.ofThisJdk() == ThreadMode.VIRTUAL
        ? List.of(ThreadMode.VIRTUAL, ThreadMode.POOL)
        : List.of(ThreadMode.POOL);
  }

  @ParameterizedTest(name = "DOS-07: a blocked handler gets a 503 and does not delay closing: {0}")
  @MethodSource("blocking")
  void aHandlerThatNeverResponds(ThreadMode threads) throws Exception {
    CompletableFuture<Void> never = new CompletableFuture<>();
    CompletableFuture<Throwable> late = new CompletableFuture<>();
    Middleware hanging =
        (req, res, next) -> {
          never.join();
          try {
            res.send("late");
          } catch (IllegalStateException e) {
            late.complete(e);
          }
        };
    ListenOptions limited =
        options()
            .threads(threads)
            .responseTimeout(Duration.ofMillis(80))
            .shutdownTimeout(Duration.ofMillis(80));
    Server server = serve(limited, hanging);
    try (RawSocket socket = new RawSocket(server)) {
      String response = socket.send(GET).readTo("\n");
      assertEquals("HTTP/1.1 503 Service Unavailable\r\n", response);
      long start = System.nanoTime();
      server.close();
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20), "did not end");
    } finally {
      never.complete(null);
      server.close();
    }
    late.get(20, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("DOS-07: on the event loop, too, a missing response is a 503")
  void noResponseOnTheEventLoop() throws Exception {
    ListenOptions limited =
        options().threads(ThreadMode.EVENT_LOOP).responseTimeout(Duration.ofMillis(80));
    try (Server server = serve(limited, (req, res, next) -> {});
        RawSocket socket = new RawSocket(server)) {
      assertTrue(socket.send(GET).readTo("\n").startsWith("HTTP/1.1 503 "));
    }
  }

  @ParameterizedTest(
      name = "DOS-08: a stack overflow and a missing class are 500, the server continues: {0}")
  @MethodSource("blocking")
  void errorsOfTheMachineAre500(ThreadMode threads) throws Exception {
    Middleware failing =
        (req, res, next) -> {
          switch (req.path()) {
            case "/deep" -> res.send("depth " + depth(0));
            case "/missing" -> throw new NoClassDefFoundError("missing/Thing");
            case "/full" -> throw new OutOfMemoryError("no room for this one");
            default -> res.send("alive");
          }
        };
    try (Server server = serve(options().threads(threads), failing)) {
      for (String path : List.of("/deep", "/missing", "/full", "/deep")) {
        assertEquals(500, Call.get(path).to(server.uri()).status(), path);
        assertEquals("alive", Call.get("/").to(server.uri()).text(), path);
      }
    }
  }

  @SuppressWarnings("InfiniteRecursion") // the point of the test
  private static long depth(long level) {
    return depth(level + 1) + 1;
  }

  @Test
  @DisplayName("DOS-09: disconnecting within unread bodies leaks no memory")
  void disconnectingWithinBodiesLeaksNoMemory() throws Exception {
    String body = "x".repeat(400_000);
    String post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n" + body;
    Middleware unread = (req, res, next) -> {};
    ListenOptions brief =
        options().threads(ThreadMode.EVENT_LOOP).shutdownTimeout(Duration.ofMillis(50));
    try (Server server = serve(brief, unread)) {
      disconnect(server, post, 20); // allocates what is kept for reuse
      disconnect(server, GET + post, 20);
      long before = direct();
      disconnect(server, post, 150);
      disconnect(server, GET + post, 150);
      long more = direct() - before;
      assertTrue(before > 0 && more < 2 << 20, () -> before + " bytes, then " + more + " more");
    }
  }

  /** Sends as much of a message as the server accepts, and disconnects, many times. */
  private static void disconnect(Server server, String message, int times) throws Exception {
    byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < times; i++) {
      try (SocketChannel channel =
          SocketChannel.open(
              new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()))) {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        int idle = 0;
        while (rest.hasRemaining() && idle < 3) {
          idle = channel.write(rest) > 0 ? 0 : idle + 1;
          Thread.sleep(1);
        }
      }
    }
    Thread.sleep(90); // until the server has noticed
  }

  /** Returns the size of all direct buffers of the JDK, in bytes. */
  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  @Test
  @DisplayName("LIFE-02: starting and stopping leaks neither threads nor files")
  void startingAndStoppingLeaksNothing() throws Exception {
    int threads = 0;
    long files = 0;
    for (int i = 0; i < STARTS; i++) {
      try (Server server = serve(options(), (req, res, next) -> res.end("x"))) {
        assertEquals("x", Call.get("/").to(server.uri()).text());
      }
      if (i == 4) { // everything reusable has been created
        threads = Thread.activeCount();
        files = files();
      }
    }
    assertTrue(Thread.activeCount() <= threads + 6, Thread.activeCount() + " after " + threads);
    assertTrue(files() <= files + 6, files() + " after " + files);
  }

  @Test
  @DisplayName("LIFE-02: a port in use leaks no files")
  void aPortInUseLeaksNothing() throws Exception {
    try (Server server = serve(options(), (req, res, next) -> res.end("x"))) {
      ListenOptions same = options().port(server.port());
      long files = 0;
      for (int i = 0; i < 50; i++) {
        assertThrows(BindException.class, () -> serve(same).close());
        files = i == 4 ? files() : files;
      }
      assertTrue(files() <= files + 6, files() + " after " + files);
    }
  }

  private static long files() throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(DESCRIPTORS)) {
      return open.count();
    }
  }

  @Test
  @DisplayName("DOS-04: without free file descriptors, the server waits, warns once, and continues")
  void outOfFilesTheServerContinues() throws Exception {
    try (LimitedProcess process = LimitedProcess.start(150, OutOfFilesMain.class, "pool")) {
      int port = process.number();
      List<Socket> crowd = crowd(200, port);
      process.awaitError("cannot be accepted");
      for (Socket socket : crowd) {
        socket.close();
      }
      assertEquals("alive", Call.get("/").to(URI.create("http://127.0.0.1:" + port)).text());
      assertEquals(1, process.errors("cannot be accepted"), "warnings");
    }
  }

  @ParameterizedTest(
      name = "DOS-04: without free files, busy handlers continue, and TERM ends the process: {0}")
  @MethodSource("blocking")
  void outOfFilesWhileHandlersCompute(ThreadMode threads) throws Exception {
    try (LimitedProcess process =
        LimitedProcess.start(220, OutOfFilesMain.class, threads.toString())) {
      int port = process.number();
      try (BusyClients busy = new BusyClients(40, port, "/busy");
          BusyClients files = new BusyClients(1, port, "/file")) {
        List<Socket> crowd = crowd(300, port);
        process.awaitError("cannot be accepted");
        assertTrue(busy.awaitResponses(200), process::errorText);
        assertTrue(files.awaitResponses(10), "connections took the last file descriptors");
        for (Socket socket : crowd) {
          socket.close();
        }
        assertTrue(busy.awaitResponses(50), process::errorText);
        assertEquals("alive", Call.get("/").to(URI.create("http://127.0.0.1:" + port)).text());
      }
      assertTrue(process.isAlive(), process::errorText);
      assertEquals(ENDED_BY_TERM, process.end(), process::errorText);
    }
  }

  @ParameterizedTest(name = "DOS-04: without free file descriptors, TERM ends the process: {0}")
  @MethodSource("blocking")
  void outOfFilesAProcessEnds(ThreadMode threads) throws Exception {
    try (LimitedProcess process =
        LimitedProcess.start(220, OutOfFilesMain.class, threads.toString())) {
      int port = process.number();
      try (BusyClients busy = new BusyClients(40, port, "/busy")) {
        List<Socket> crowd = crowd(300, port);
        process.awaitError("cannot be accepted");
        assertTrue(busy.awaitResponses(50), process::errorText);
        assertEquals(ENDED_BY_TERM, process.end(), process::errorText);
        assertEquals(0, process.errors("SEVERE"), process::errorText);
        for (Socket socket : crowd) {
          socket.close();
        }
      }
    }
  }

  /** Opens connections that send nothing. */
  private static List<Socket> crowd(int count, int port) throws IOException {
    List<Socket> crowd = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      crowd.add(new Socket(InetAddress.getLoopbackAddress(), port));
    }
    return crowd;
  }

  @Test
  @DisplayName("DOS-10: with CLOSE_SERVER, an event loop that fails permanently closes its server")
  void aDeadEventLoopClosesItsServer() throws Exception {
    Process process =
        new ProcessBuilder(LimitedProcess.java(List.of(), LoopDiesMain.class, "close"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      int port = Integer.parseInt(String.valueOf(out.readLine()));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(GET.getBytes(StandardCharsets.UTF_8));
        assertEquals("closed", out.readLine());
      }
      assertThrows(
          IOException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
      assertTrue(process.isAlive());
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @DisplayName("DOS-10: an event loop that fails permanently ends the process")
  void aDeadEventLoopEndsTheProcess() throws Exception {
    Process process =
        new ProcessBuilder(LimitedProcess.java(List.of(), LoopDiesMain.class))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      int port = Integer.parseInt(String.valueOf(out.readLine()));
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(GET.getBytes(StandardCharsets.UTF_8));
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
      }
      assertEquals(FatalErrorHandler.STATUS, process.exitValue());
    } finally {
      process.destroyForcibly();
    }
  }
}
