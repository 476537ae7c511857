package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.nio.loop.StepPool;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Many stalled clients for which the threads of a bounded pool wait. */
@DisabledIfSystemProperty(named = "percolate.again", matches = "true")
@Tag("long")
@Timeout(120)
@ParameterizedClass
@MethodSource("dev.percolate.nio.TestedTransport#slow")
final class StalledClientsTest extends ServerFixture {

  /** More than the pool has threads, see {@link StepPool}. */
  private static final int CROWD =
      StepPool.MOST_REPLACED + Math.max(32, 8 * Runtime.getRuntime().availableProcessors()) + 12;

  private static final int PIECE = 64 << 10;

  /** How long a small request may take while others stall. */
  private static final Duration SOON = Duration.ofSeconds(5);

  private final List<Socket> crowd = new ArrayList<>();
  private final CountDownLatch ran = new CountDownLatch(CROWD);
  private final ExecutorService clients = Executors.newCachedThreadPool();

  @AfterEach
  void leave() throws IOException {
    for (Socket client : crowd) {
      client.close();
    }
    clients.shutdownNow();
  }

  private final Middleware steps =
      (req, res, next) -> {
        if (req.path().startsWith("/large/")) {
          ran.countDown();
          byte[] piece = new byte[PIECE];
          for (long left = Long.parseLong(req.path().substring(7)); left > 0; left -= PIECE) {
            res.write(piece);
          }
          res.end("");
        } else if (req.path().equals("/upload")) {
          ran.countDown();
          res.end(req.inputStream(1 << 20).transferTo(OutputStream.nullOutputStream()) + " bytes");
        } else {
          res.end("small");
        }
      };

  private Server pool(ListenOptions options) throws IOException {
    Settings settings = new Settings().set("env", "test");
    return engine().listen(Chain.service(settings, steps), options.threads(ThreadMode.POOL));
  }

  @Test
  @DisplayName("DOS-12: clients that read nothing do not block others for long")
  void clientsThatReadNothingDoNotBlockOthersForLong() throws Exception {
    try (Server server = pool(options())) {
      for (int i = 0; i < CROWD; i++) {
        connect(server).write(get("/large/" + (8 << 20)));
      }
      assertSmallOnesAreAnsweredSoon(() -> small(server));
      boolean all = ran.await(SOON.toSeconds(), TimeUnit.SECONDS);
      assertTrue(all, () -> ran.getCount() + " requests of the crowd did not run");
      leave();
    }
  }

  @Test
  @DisplayName("DOS-12: bodies that trickle in do not block others for long")
  void bodiesThatTrickleInDoNotBlockOthersForLong() throws Exception {
    try (Server server = pool(options())) {
      for (int i = 0; i < CROWD; i++) {
        OutputStream out = connect(server);
        out.write(post(1_000_000));
        drip(out);
      }
      assertSmallOnesAreAnsweredSoon(() -> small(server));
      leave(); // otherwise closing waits for them
    }
  }

  @Test
  @DisplayName("DOS-12: bodies that wait for memory do not block others for long")
  void bodiesThatWaitForMemoryDoNotBlockOthersForLong() throws Exception {
    try (Server server = pool(options().bodyMemory(BodyMemory.of("1mb")))) {
      for (int i = 0; i < CROWD; i++) {
        OutputStream out = connect(server);
        out.write(post(1_000_000));
        out.write(new byte[2000]);
        drip(out);
      }
      assertSmallOnesAreAnsweredSoon(() -> small(server));
      leave(); // otherwise closing waits for them
    }
  }

  @Test
  void clientsThatReadStayConnectedEvenIfAllThreadsWaitForThem() throws Exception {
    int length = 2 << 20;
    try (Server server = pool(options())) {
      List<CompletableFuture<Long>> read = new ArrayList<>();
      for (int i = 0; i < CROWD; i++) {
        connect(server).write(get("/large/" + length));
        Socket client = crowd.get(i);
        read.add(inBackground(() -> readSlowly(client)));
      }
      while (read.stream().anyMatch(one -> !one.isDone())) {
        small(server); // so that requests always wait for a thread
      }
      for (CompletableFuture<Long> one : read) {
        assertTrue(one.get() > length, one.get() + " of " + length + " bytes");
      }
    }
  }

  @Test
  void slowClientsStayConnectedWhileThreadsAreFree() throws Exception {
    try (Server server = pool(options())) {
      List<CompletableFuture<Long>> done = new ArrayList<>();
      for (int i = 0; i < StepPool.MOST_REPLACED; i += 2) {
        connect(server).write(get("/large/" + (1 << 20)));
        connect(server).write(post(2000));
        Socket reader = crowd.get(i);
        Socket writer = crowd.get(i + 1);
        done.add(inBackground(() -> afterStandingStill(() -> readAll(reader))));
        done.add(inBackground(() -> afterStandingStill(() -> writeAll(writer))));
      }
      assertSmallOnesAreAnsweredSoon(() -> small(server));
      for (CompletableFuture<Long> one : done) {
        assertTrue(one.get() > 0);
      }
    }
  }

  private <T> CompletableFuture<T> inBackground(Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    clients.execute(
        () -> {
          try {
            result.complete(task.call());
          } catch (Exception e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private static <T> T afterStandingStill(Callable<T> then) throws Exception {
    TimeUnit.SECONDS.sleep(3);
    return then.call();
  }

  private static void assertSmallOnesAreAnsweredSoon(Callable<String> small) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    Duration longest = Duration.ZERO;
    for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
      assertEquals("small", small.call());
      Duration taken = Duration.ofNanos(System.nanoTime() - now);
      longest = taken.compareTo(longest) > 0 ? taken : longest;
      TimeUnit.MILLISECONDS.sleep(20);
    }
    assertTrue(longest.compareTo(SOON) < 0, "one took " + longest);
  }

  /** Sends a small request. */
  private static String small(Server server) throws IOException {
    try (RawSocket client = new RawSocket(server)) {
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readTo("\r\n\r\n");
      return client.readTo("small");
    }
  }

  /**
   * Connects another client of the crowd. Its buffers are small, so that reading soon has an
   * effect.
   */
  private OutputStream connect(Server server) throws IOException {
    Socket client = new Socket();
    crowd.add(client);
    client.setReceiveBufferSize(16 << 10);
    client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    client.setTcpNoDelay(true);
    return client.getOutputStream();
  }

  private static byte[] get(String path) {
    return latin1("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  }

  private static byte[] post(int length) {
    return latin1("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: " + length + "\r\n\r\n");
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Sends a few bytes from time to time. */
  private void drip(OutputStream out) {
    clients.execute(
        () -> {
          try {
            while (true) {
              TimeUnit.MILLISECONDS.sleep(300);
              out.write(new byte[300]);
            }
          } catch (IOException | InterruptedException over) {
            // disconnected, or the test is over
          }
        });
  }

  /** Reads about 200 KB per second. Returns the number of bytes received. */
  private static long readSlowly(Socket client) throws IOException, InterruptedException {
    byte[] piece = new byte[20 << 10];
    long read = 0;
    int count = 0;
    while (count >= 0) {
      read += count;
      TimeUnit.MILLISECONDS.sleep(100);
      count = client.getInputStream().readNBytes(piece, 0, piece.length);
      count = count == 0 ? -1 : count;
    }
    return read;
  }

  private static long readAll(Socket client) throws IOException {
    return client.getInputStream().transferTo(OutputStream.nullOutputStream());
  }

  private static long writeAll(Socket client) throws IOException {
    client.getOutputStream().write(new byte[2000]);
    byte[] response = new byte[12];
    return client.getInputStream().readNBytes(response, 0, 12) == 12
            && new String(response, StandardCharsets.ISO_8859_1).equals("HTTP/1.1 200")
        ? 12
        : 0;
  }
}
