package dev.percolate.http2;

import static dev.percolate.http2.FrameClient.request;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.ChunkReader;
import dev.percolate.core.Response;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.framework.App;
import dev.percolate.logger.RequestLogger;
import dev.percolate.nio.NioEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The access log shows the status and the length that the client of a stream got: none if the
 * stream was reset (RFC 9113 section 5.4.2) or its connection closed before the response left.
 */
@Timeout(60)
final class LoggedStreamsTest {

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch gone = new CountDownLatch(1);
  private @Nullable Server server;

  private FrameClient connect(ThreadMode mode) throws IOException {
    assumeTrue(mode != ThreadMode.VIRTUAL || ThreadMode.ofThisJdk() == mode);
    App app = new App();
    app.use(RequestLogger.of(":method :url :status :res[content-length]").to(lines::add));
    app.get(
        "/late",
        (req, res) -> {
          entered.countDown();
          if (mode == ThreadMode.EVENT_LOOP) {
            new Thread(() -> sendLate(res), "late").start();
          } else {
            sendLate(res);
          }
        });
    app.get("/begun", (req, res) -> res.status(201).write("begun"));
    app.get("/end", (req, res) -> res.end("ended"));
    app.all("/page", (req, res) -> res.send("a page"));
    app.post(
        "/upload",
        (req, res) -> {
          entered.countDown();
          req.read(new Rejecting(res));
        });
    ListenOptions options =
        ListenOptions.ofPort(0).host("127.0.0.1").threads(mode).http2PriorKnowledge(true);
    Server started = new NioEngine().listen(app, options);
    server = started;
    return FrameClient.open(started.port());
  }

  private void sendLate(Response res) {
    try {
      assertTrue(gone.await(20, TimeUnit.SECONDS));
      res.status(400).send("late");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Responds to an upload, even if it fails. */
  private record Rejecting(Response res) implements ChunkReader {

    @Override
    public boolean chunk(ByteBuffer bytes) {
      return true;
    }

    @Override
    public void done(@Nullable Throwable failure) {
      res.status(failure == null ? 200 : 400).send("read");
    }
  }

  private @Nullable String line() throws InterruptedException {
    String line = lines.poll(20, TimeUnit.SECONDS);
    return line == null ? null : line.strip();
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aResponseToAStreamThatWasResetHasNeitherStatusNorLength(ThreadMode mode) throws Exception {
    try (FrameClient client = connect(mode)) {
      client.get(1, "/late");
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      client.reset(1);
      assertTrue(client.isAlive()); // the server has read the reset
      gone.countDown();
      assertEquals("GET /late - -", line());
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aResponseToAConnectionThatWasClosedHasNeither(ThreadMode mode) throws Exception {
    FrameClient client = connect(mode).get(1, "/late");
    assertTrue(entered.await(20, TimeUnit.SECONDS));
    client.close();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (server != null && server.connections() > 0) {
      assertTrue(System.nanoTime() < end, "20 s");
      TimeUnit.MILLISECONDS.sleep(5);
    }
    gone.countDown();
    assertEquals("GET /late - -", line());
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aResponseToAnUploadThatWasResetHasNeither(ThreadMode mode) throws Exception {
    try (FrameClient client = connect(mode)) {
      client.headers(1, 0, request("POST", "/upload", "content-length", "100"));
      client.data(1, false, "some");
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      client.reset(1);
      assertEquals("POST /upload - -", line());
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aStartedResponseIsLoggedWithItsStatus(ThreadMode mode) throws Exception {
    try (FrameClient client = connect(mode)) {
      client.get(1, "/begun");
      assertEquals("201", client.awaitHead(1).status());
      client.reset(1);
      assertEquals("GET /begun 201 -", line());
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void theLoggedLengthIsTheSentLength(ThreadMode mode) throws Exception {
    try (FrameClient client = connect(mode)) {
      client.get(1, "/end");
      Frame head = client.awaitHead(1);
      assertEquals("5", head.headers().get("content-length"));
      assertEquals("GET /end 200 5", line());
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aConnectThatIsDeclinedHasTheStatusThatTheClientGot(ThreadMode mode) throws Exception {
    try (FrameClient client = connect(mode)) {
      client.headers(1, 0, request("CONNECT", "/page", ":protocol", "websocket"));
      String status = client.awaitHead(1).status();
      assertEquals("501", status);
      assertEquals(status, String.valueOf(line()).split(" ", -1)[2]);
    }
  }
}
