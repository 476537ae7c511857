package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.middleware.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Many large responses that are compressed at the same time. */
@Timeout(120)
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads")
final class CompressingCrowdTest {

  private static final int CROWD = 60;
  private static final Duration SOON = Duration.ofSeconds(3);

  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  @DisplayName("DOS-12: answers that are compressed keep nobody waiting for long")
  void answersThatAreCompressedKeepNobodyWaitingForLong() throws Exception {
    byte[] large = new byte[2 << 20];
    new Random(7).nextBytes(large);
    App app = new App();
    app.use(Compression.of());
    app.get("/large", (req, res, next) -> res.type("text/plain").send(large));
    app.get("/small", (req, res, next) -> res.send("small"));
    ExecutorService clients = Executors.newCachedThreadPool();
    try (Server server = app.listen(ListenOptions.ofPort(0).host("127.0.0.1"))) {
      List<Future<?>> crowd = new ArrayList<>();
      for (int i = 0; i < CROWD; i++) {
        crowd.add(clients.submit(() -> readAgainAndAgain(server)));
      }
      Duration longest = Duration.ZERO;
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
      for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
        assertEquals("small", small(server));
        Duration taken = Duration.ofNanos(System.nanoTime() - now);
        longest = taken.compareTo(longest) > 0 ? taken : longest;
      }
      over.set(true);
      for (Future<?> one : crowd) {
        one.get();
      }
      assertTrue(longest.compareTo(SOON) < 0, "one took " + longest);
    } finally {
      clients.shutdownNow();
    }
  }

  private Object readAgainAndAgain(Server server) throws IOException {
    while (!over.get()) {
      try (Socket client = ask(server, "/large")) {
        byte[] piece = new byte[64 << 10];
        InputStream in = client.getInputStream();
        while (!over.get() && in.read(piece) >= 0) {
          // the next chunk
        }
      }
    }
    return over;
  }

  private static String small(Server server) throws IOException {
    try (Socket client = ask(server, "/small")) {
      String response =
          new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
      return response.substring(response.indexOf("\r\n\r\n") + 4);
    }
  }

  private static Socket ask(Server server, String path) throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
    String request =
        "GET "
            + path
            + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n";
    client.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    return client;
  }
}
