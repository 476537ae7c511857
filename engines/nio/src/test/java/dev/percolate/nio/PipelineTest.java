package dev.percolate.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Settings;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.engine.VirtualThreads;
import dev.percolate.fixtures.RawSocket;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that arrive before the responses to earlier ones. */
@Timeout(60)
final class PipelineTest {

  private static final int CLIENTS = 8;
  private static final int ROUNDS = 60;

  /** More than the system buffers for a client that does not read. */
  private static final int MOST_KEPT = 4 << 20;

  /** How much of a response may wait for the client while the next request begins. */
  private static final int MOST_LEFT = 60 << 10;

  private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

  /** Responds immediately, later, in chunks, or with much data, depending on the path. */
  private static final Handler KINDS =
      (req, res) -> {
        String path = req.path();
        switch (path.charAt(1)) {
          case 'l' ->
              CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS)
                  .execute(
                      () -> {
                        res.send(path);
                      });
          case 'p' -> {
            res.write(path.substring(0, 2));
            res.end(path.substring(2));
          }
          case 'm' -> res.send(path + "#".repeat(40_000));
          default -> res.send(path);
        }
      };

  private static Server serve(ListenOptions options, Handler handler) throws IOException {
    return new NioEngine()
        .listen(
            Chain.service(Settings.ofApplication().set("etag", false), handler),
            options.host("127.0.0.1"));
  }

  @ParameterizedTest
  @EnumSource
  void eachRequestGetsOneResponseInOrderHoweverTheyAreSplit(ThreadMode mode) throws Exception {
    assumeTrue(mode != ThreadMode.VIRTUAL || VirtualThreads.available());
    try (Server server = serve(ListenOptions.ofPort(0).threads(mode), KINDS)) {
      List<CompletableFuture<Void>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        int seed = i;
        clients.add(
            CompletableFuture.runAsync(
                () -> play(server, new Random(seed)), task -> new Thread(task).start()));
      }
      for (CompletableFuture<Void> client : clients) {
        client.get(50, TimeUnit.SECONDS);
      }
    }
  }

  private static void play(Server server, Random random) {
    try (RawSocket socket = new RawSocket(server)) {
      for (int round = 0; round < ROUNDS; round++) {
        List<String> paths = new ArrayList<>();
        StringBuilder requests = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
          String path = "/" + "ssslpm".charAt(random.nextInt(6)) + "/" + round + "/" + i;
          paths.add(path);
          boolean body = random.nextInt(4) == 0;
          requests.append(body ? "POST " : "GET ").append(path).append(" HTTP/1.1\r\nHost: a\r\n");
          requests.append(body ? "Content-Length: 5\r\n\r\nGET /" : "\r\n");
        }
        send(socket, requests.toString(), random);
        for (String path : paths) {
          assertEquals(path, body(socket).replace("#", ""));
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void send(RawSocket socket, String bytes, Random random)
      throws IOException, InterruptedException {
    int at = 0;
    while (at < bytes.length()) {
      int to = Math.min(bytes.length(), at + 1 + random.nextInt(bytes.length()));
      socket.send(bytes.substring(at, to));
      TimeUnit.MICROSECONDS.sleep(random.nextInt(300));
      at = to;
    }
  }

  /** Reads a response and returns its body. */
  private static String body(RawSocket socket) throws IOException {
    String head = socket.readTo("\r\n\r\n");
    assertTrue(head.startsWith("HTTP/1.1 200 OK\r\n"), head);
    int length = head.indexOf("Content-Length: ");
    StringBuilder body = new StringBuilder();
    if (length >= 0) {
      int begin = length + "Content-Length: ".length();
      return socket.read(Integer.parseInt(head.substring(begin, head.indexOf("\r\n", begin))));
    }
    assertTrue(head.contains("Transfer-Encoding: chunked\r\n"), head);
    int size = 1;
    while (size > 0) {
      size = Integer.parseInt(socket.readTo("\r\n").strip(), 16);
      body.append(socket.read(size));
      assertEquals("\r\n", socket.read(2));
    }
    return body.toString();
  }

  @Test
  void manyRequestsOfOneClientDoNotDelayOthers() throws Exception {
    int requests = 200;
    AtomicInteger handled = new AtomicInteger();
    Handler busy =
        (req, res) -> {
          if (req.path().equals("/busy")) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1);
            while (System.nanoTime() < end) {
              Thread.onSpinWait();
            }
            handled.incrementAndGet();
          }
          res.send("x");
        };
    int clients = 2 * Runtime.getRuntime().availableProcessors(); // two per loop
    List<RawSocket> modest = new ArrayList<>();
    List<RawSocket> greedy = new ArrayList<>();
    try (Server server = serve(ListenOptions.ofPort(0).threads(ThreadMode.EVENT_LOOP), busy)) {
      for (int i = 0; i < clients; i++) {
        modest.add(new RawSocket(server).send(GET));
        modest.get(i).readTo("\r\n\r\nx");
      }
      for (int i = 0; i < clients; i++) {
        greedy.add(new RawSocket(server));
      }
      for (RawSocket client : greedy) {
        client.send("GET /busy HTTP/1.1\r\nHost: a\r\n\r\n".repeat(requests));
      }
      while (handled.get() < clients) {
        Thread.onSpinWait();
      }
      for (RawSocket client : modest) {
        int before = handled.get();
        client.send(GET).readTo("\r\n\r\nx");
        int meanwhile = handled.get() - before;
        assertTrue(meanwhile < requests / 2, meanwhile + " requests went first");
      }
      for (RawSocket client : greedy) {
        for (int i = 0; i < requests; i++) {
          client.readTo("\r\n\r\nx");
        }
        client.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void completeResponsesAreSentBeforeOneThatIsAborted(ThreadMode mode) throws Exception {
    assumeTrue(mode != ThreadMode.VIRTUAL || VirtualThreads.available());
    Handler wholeThenCut =
        (req, res) -> {
          if (!req.path().equals("/cut")) {
            res.send("#".repeat(Integer.parseInt(req.path().substring(1))));
          } else {
            res.write("begun");
            throw new IllegalStateException("within a response");
          }
        };
    Map<Integer, RawSocket> clients = new LinkedHashMap<>();
    try (Server server = serve(ListenOptions.ofPort(0).threads(mode), wholeThenCut)) {
      // With one of the lengths, the socket buffer is full just before the end of the response.
      for (int length = MOST_LEFT; length < MOST_KEPT; length += MOST_LEFT) {
        RawSocket client = new RawSocket(server);
        clients.put(length, client);
        client.send("GET /" + length + " HTTP/1.1\r\nHost: a\r\n\r\n");
        client.send("GET /cut HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      TimeUnit.MILLISECONDS.sleep(80);
      for (Map.Entry<Integer, RawSocket> client : clients.entrySet()) {
        String all = client.getValue().readToClose();
        assertEquals((int) client.getKey(), all.chars().filter(c -> c == '#').count());
      }
    } finally {
      for (RawSocket client : clients.values()) {
        client.close();
      }
    }
  }
}
