package dev.percolate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Response;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.ThreadMode;
import dev.percolate.fixtures.RawSocket;
import dev.percolate.framework.App;
import dev.percolate.http.HttpError;
import dev.percolate.logger.RequestLogger;
import dev.percolate.middleware.BasicAuth;
import dev.percolate.middleware.Compression;
import dev.percolate.middleware.ProblemDetails;
import dev.percolate.middleware.RateLimit;
import dev.percolate.parsers.BodyParsers;
import dev.percolate.testkit.Call;
import dev.percolate.testkit.Reply;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The access log shows the status code and the length that the client got: none if the client
 * disconnected before the response was sent, and the {@code Content-Length} that was sent (RFC 9110
 * section 8.6), even if the server set it.
 */
@Timeout(60)
@SuppressWarnings("StringConcatToTextBlock") // a text block would hide the CR LF
final class LoggedResponsesTest {

  private static final String GET = " HTTP/1.1\r\nHost: a\r\n\r\n";

  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch gone = new CountDownLatch(1);

  private App app() {
    App app = new App();
    app.use(RequestLogger.of(":url :status :res[content-length] :response-time[0]").to(lines::add));
    return app;
  }

  private static Server listen(App app, ThreadMode mode) throws Exception {
    assumeTrue(mode != ThreadMode.VIRTUAL || ThreadMode.ofThisJdk() == mode);
    return app.listen(ListenOptions.ofPort(0).host("127.0.0.1").threads(mode));
  }

  /** Responds after the client has disconnected; on another thread if the handler must not wait. */
  private Handler late(ThreadMode mode) {
    return (req, res) -> {
      entered.countDown();
      if (mode == ThreadMode.EVENT_LOOP) {
        new Thread(() -> sendLate(res), "late").start();
      } else {
        sendLate(res);
      }
    };
  }

  private void sendLate(Response res) {
    try {
      assertTrue(gone.await(20, TimeUnit.SECONDS));
      res.status(400).send("late");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void leave(RawSocket client, boolean resets) throws Exception {
    if (resets) {
      client.reset();
    } else {
      client.close();
    }
  }

  private static void awaitNoConnection(Server server) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (server.connections() > 0) {
      assertTrue(System.nanoTime() < end, "20 s");
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private @Nullable String line() throws InterruptedException {
    String line = lines.poll(20, TimeUnit.SECONDS);
    return line == null ? null : line.strip();
  }

  @ParameterizedTest
  @CsvSource({
    "VIRTUAL, true",
    "VIRTUAL, false",
    "POOL, true",
    "POOL, false",
    "EVENT_LOOP, true",
    "EVENT_LOOP, false"
  })
  void aResponseAfterTheClientHasGoneHasNeitherStatusNorLength(ThreadMode mode, boolean resets)
      throws Exception {
    App app = app();
    app.get("/late", late(mode));
    try (Server server = listen(app, mode)) {
      RawSocket client = new RawSocket(server).send("GET /late" + GET);
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      leave(client, resets);
      awaitNoConnection(server); // after a FIN, when the client may only have closed its output
      gone.countDown();
      assertEquals("/late - - -", line());
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aResetThatShowsWhenTheServerWritesIsNoticedToo(ThreadMode mode) throws Exception {
    App app = app();
    app.get("/late", late(mode));
    try (Server server = listen(app, mode)) {
      // The server stops reading, since so many bytes arrive before the response.
      RawSocket client = new RawSocket(server).send(("GET /late" + GET).repeat(500));
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      client.reset();
      TimeUnit.MILLISECONDS.sleep(80);
      gone.countDown();
      assertEquals("/late - - -", line());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "VIRTUAL, true",
    "VIRTUAL, false",
    "POOL, true",
    "POOL, false",
    "EVENT_LOOP, true",
    "EVENT_LOOP, false"
  })
  void anErrorHandlersResponseToAnUploadThatWasCutOffHasNeither(ThreadMode mode, boolean resets)
      throws Exception {
    App app = app();
    app.use(
        (req, res, next) -> {
          entered.countDown();
          next.run();
        });
    app.use(BodyParsers.json());
    app.post("/json", (req, res) -> res.send("whole"));
    app.use((error, req, res, next) -> res.status(400).send(String.valueOf(error.getMessage())));
    try (Server server = listen(app, mode)) {
      RawSocket client = new RawSocket(server);
      client.send(
          "POST /json HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
              + "Content-Length: 100\r\n\r\n[1,2");
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      leave(client, resets);
      assertEquals("/json - - -", line());
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aClientThatHasClosedItsOutputGetsTheResponse(ThreadMode mode) throws Exception {
    App app = app();
    app.get("/late", late(mode));
    try (Server server = listen(app, mode);
        HalfClosed client = new HalfClosed(server)) {
      client.send("GET /late" + GET);
      assertTrue(entered.await(20, TimeUnit.SECONDS));
      client.shutdownOutput();
      gone.countDown();
      assertTrue(client.readToClose().endsWith("late"));
      assertEquals("/late 400 4", Objects.requireNonNull(line()).replaceAll(" \\d+$", ""));
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aResponseThatIsCutOffByTheClientHasItsStatus(ThreadMode mode) throws Exception {
    App app = app();
    app.get("/begun", (req, res) -> res.status(201).write("begun"));
    try (Server server = listen(app, mode)) {
      RawSocket client = new RawSocket(server).send("GET /begun" + GET);
      String ignored = client.readTo("begun");
      client.reset();
      assertEquals("/begun 201 -", Objects.requireNonNull(line()).replaceAll(" \\d+$", ""));
    }
  }

  @ParameterizedTest
  @EnumSource(ThreadMode.class)
  void aResponseThatTheServerCutsOffHasItsStatus(ThreadMode mode) throws Exception {
    App app = app();
    app.get(
        "/broken",
        (req, res) -> {
          res.status(201).write("begun");
          throw new IllegalStateException("broken");
        });
    try (Server server = listen(app, mode);
        RawSocket client = new RawSocket(server)) {
      client.send("GET /broken" + GET);
      assertTrue(client.readToClose().startsWith("HTTP/1.1 201"));
      assertEquals("/broken 201 -", Objects.requireNonNull(line()).replaceAll(" \\d+$", ""));
    }
  }

  @Test
  void theLengthIsThatOfTheWireHoweverTheResponseIsMade() throws Exception {
    App app = app();
    app.get("/end", (req, res) -> res.end("ended"));
    app.get("/empty", (req, res) -> res.status(201).end());
    app.get("/stream", (req, res) -> res.outputStream().close());
    app.get("/auth", BasicAuth.of("ana", "pw"), (req, res) -> res.send("in"));
    app.get("/rate", RateLimit.of(1, Duration.ofHours(1)), (req, res) -> res.send("in"));
    app.get("/json", (req, res) -> res.json(1));
    app.get("/jsonp", (req, res) -> res.jsonp(1));
    app.get("/redirect", (req, res) -> res.redirect("/end"));
    app.get("/status", (req, res) -> res.sendStatus(418));
    app.get(
        "/problem",
        (req, res) -> {
          throw new HttpError(409);
        });
    app.get("/none", ProblemDetails.notFound());
    app.use(ProblemDetails.json());
    for (String path :
        new String[] {
          "/end",
          "/empty",
          "/stream",
          "/auth",
          "/rate",
          "/rate",
          "/json",
          "/jsonp",
          "/redirect",
          "/status",
          "/problem",
          "/none",
          "/nowhere"
        }) {
      Reply reply = Call.get(path).to(app);
      String length = reply.header("Content-Length");
      assertEquals(
          path + " " + reply.status() + " " + reply.bytes().length,
          Objects.requireNonNull(line()).replaceAll(" \\d+$", ""));
      assertEquals(Integer.toString(reply.bytes().length), length, path);
    }
  }

  @Test
  void aBodyInPiecesHasNoLengthAndACompressedOneHasNotThatOfItsSource() throws Exception {
    App app = app();
    app.use(Compression.of().threshold(0));
    app.get("/pieces", (req, res) -> res.write("a").end("b"));
    app.get("/zip", (req, res) -> res.type("txt").end("z".repeat(5000)));
    Reply pieces = Call.get("/pieces").to(app);
    assertEquals("ab", pieces.text());
    assertEquals("/pieces 200 -", Objects.requireNonNull(line()).replaceAll(" \\d+$", ""));
    Reply zip = Call.get("/zip").header("Accept-Encoding", "gzip").to(app);
    assertEquals("gzip", zip.header("Content-Encoding"));
    assertEquals("/zip 200 -", Objects.requireNonNull(line()).replaceAll(" \\d+$", ""));
  }

  /** A client that sends no more, and waits for the response. */
  private static final class HalfClosed extends RawSocket {

    private final Socket socket;

    HalfClosed(Server server) throws IOException {
      this(connect(server.port()));
    }

    private HalfClosed(Socket socket) {
      super(socket);
      this.socket = socket;
    }

    void shutdownOutput() throws IOException {
      socket.shutdownOutput();
    }
  }
}
