package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.percolate.engine.BodyMemory;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.framework.App;
import dev.percolate.parsers.BodyParsers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many compressed bodies that grow at the same time, and need more memory than is available. */
@Timeout(120)
final class InflatingCrowdTest {

  private static final int CROWD = 40;

  /**
   * The end of each body, sent when all others have begun; most of the body is inflated from it.
   */
  private static final int END = 750;

  private final CountDownLatch begun = new CountDownLatch(CROWD);

  @ParameterizedTest
  @CsvSource({
    "default, application/octet-stream",
    "default, text/plain",
    "default, application/json",
    "pool, application/json",
    "event loop, application/json"
  })
  void bodiesThatInflateAtOnceAreAllAnswered(String threads, String type) throws Exception {
    App app = new App();
    app.use(BodyParsers.raw().limit("1mb"));
    app.use(BodyParsers.text().limit("1mb"));
    app.use(BodyParsers.json().limit("1mb"));
    app.post("/", (req, res, next) -> res.send("whole"));
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .bodyMemory(BodyMemory.of("16mb"))
            .bodyTimeout(Duration.ofSeconds(20));
    byte[] body = compressed();
    if (!threads.equals("default")) {
      options = options.threads(threads);
    }
    ExecutorService clients = Executors.newFixedThreadPool(CROWD);
    try (Server server = app.listen(options)) {
      List<Future<String>> crowd = new ArrayList<>();
      for (int i = 0; i < CROWD; i++) {
        crowd.add(clients.submit(() -> upload(server, type, body)));
      }
      Map<String, Integer> statuses = new TreeMap<>();
      for (Future<String> one : crowd) {
        statuses.merge(one.get(), 1, Integer::sum);
      }
      assertEquals(Map.of("HTTP/1.1 200", CROWD), statuses);
    } finally {
      clients.shutdownNow();
    }
  }

  /** Returns a JSON list with a string that begins with random letters and ends with equal ones. */
  private static byte[] compressed() throws IOException {
    StringBuilder text = new StringBuilder("[\"");
    new Random(48).ints(100_000, 'A', 'Z' + 1).forEach(letter -> text.append((char) letter));
    text.append("a".repeat(800_000)).append("\"]");
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
      out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
    }
    return compressed.toByteArray();
  }

  /** Returns the first 12 characters of the response. */
  private String upload(Server server, String type, byte[] body) throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = client.getOutputStream();
      String head =
          "POST / HTTP/1.1\r\nHost: a\r\nContent-Type: %s\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n";
      out.write(head.formatted(type, body.length).getBytes(StandardCharsets.US_ASCII));
      out.write(body, 0, body.length - END);
      begun.countDown();
      assertEquals(true, begun.await(20, TimeUnit.SECONDS));
      TimeUnit.MILLISECONDS.sleep(80); // the server reads what has been sent
      out.write(body, body.length - END, END);
      return new String(client.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    }
  }
}
