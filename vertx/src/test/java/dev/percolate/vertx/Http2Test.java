package dev.percolate.vertx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Next;
import dev.percolate.core.Request;
import dev.percolate.core.Response;
import dev.percolate.core.Settings;
import dev.percolate.engine.ClientGone;
import dev.percolate.engine.ListenOptions;
import dev.percolate.engine.Server;
import dev.percolate.engine.tests.OnceABuild;
import dev.percolate.engine.tests.TestCertificate;
import dev.percolate.engine.tests.Watching;
import dev.percolate.http.HttpError;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of one HTTP/2 connection do not suffer for each other. */
@OnceABuild
@Timeout(60)
final class Http2Test {

  private static final int LARGE = 8 << 20;
  private static final int PAGE = 128 << 10;

  /** Longer than a busy machine keeps a client that reads from its next piece. */
  private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(1);

  @TempDir private static Path folder;
  private static TestCertificate certificate;

  private final Watching watching = new Watching();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final TlsClient client = new TlsClient();
  private Server server;
  private HttpClient http;

  @BeforeAll
  static void makeCertificate() throws Exception {
    certificate = TestCertificate.make(folder);
  }

  @BeforeEach
  void serve() throws IOException {
    ListenOptions options =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .tls(certificate.tls())
            .bodyTimeout(Duration.ofMillis(300))
            .writeTimeout(WRITE_TIMEOUT);
    server =
        new VertxEngine().listen(Chain.service(new Settings(), watching, this::route), options);
    http = client.open(HttpVersion.HTTP_2);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private void route(Request req, Response res, Next next) throws Exception {
    switch (req.path()) {
      case "/early" -> res.status(413).end("too large");
      case "/slow" -> {
        Thread.sleep(1500);
        res.end("slow");
      }
      case "/read" -> {
        try {
          req.inputStream().readAllBytes();
        } catch (IOException | HttpError e) {
          failure.complete(e);
          throw e;
        }
      }
      case "/page" -> res.end(new byte[PAGE]);
      case "/streamed" -> {
        for (int i = 0; i < 8; i++) {
          res.write(new byte[PAGE / 8]);
        }
        res.end();
      }
      case "/large" -> res.end(new byte[LARGE]);
      case "/file" -> res.sendFile(folder.resolve(req.query("name")));
      case "/flood" -> {
        try {
          while (true) {
            res.write(new byte[64 << 10]);
          }
        } catch (IOException e) {
          failure.complete(e);
        }
      }
      default -> res.set("Connection", "keep-alive").set("Keep-Alive", "timeout=5").end("fine");
    }
  }

  private Future<HttpClientRequest> request(HttpMethod method, String target) {
    return http.request(method, server.port(), "127.0.0.1", target);
  }

  private Future<Buffer> slowNeighbour() {
    return request(HttpMethod.GET, "/slow")
        .compose(HttpClientRequest::send)
        .compose(HttpClientResponse::body);
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  @Test
  void anEarlyAnswerToAnUnfinishedUploadLeavesTheNeighbourAlone() throws Exception {
    get(request(HttpMethod.GET, "/").compose(HttpClientRequest::send)); // opens the connection
    Future<Buffer> neighbour = slowNeighbour();
    HttpClientRequest upload = get(request(HttpMethod.POST, "/early"));
    Future<HttpClientResponse> answer = upload.response();
    upload.putHeader("Content-Length", "1000000").write(Buffer.buffer("begun"));
    assertEquals(413, get(answer).statusCode());
    assertEquals("slow", get(neighbour).toString());
  }

  @Test
  void aRefusedRequestGetsItsStatusAndLeavesTheNeighbourAlone() throws Exception {
    get(request(HttpMethod.GET, "/").compose(HttpClientRequest::send));
    Future<Buffer> neighbour = slowNeighbour();
    HttpClientRequest refused = get(request(HttpMethod.GET, "/refused"));
    for (int i = 0; i < 101; i++) {
      refused.putHeader("x-" + i, "1");
    }
    assertEquals(431, get(refused.send()).statusCode());
    assertEquals("slow", get(neighbour).toString());
    assertEquals(
        List.of("refused GET /refused 431"),
        watching.lines.stream().filter(line -> line.startsWith("refused")).toList());
  }

  @Test
  void aBodyThatDoesNotComeTimesOut() throws Exception {
    HttpClientRequest upload = get(request(HttpMethod.POST, "/read"));
    Future<HttpClientResponse> answer = upload.response();
    upload.putHeader("Content-Length", "10").write(Buffer.buffer("abc"));
    HttpError error = assertInstanceOf(HttpError.class, failure.get(20, TimeUnit.SECONDS));
    assertEquals(408, error.status());
    assertEquals(408, get(answer).statusCode());
  }

  @Test
  void aClientThatTakesNothingOfItsStreamIsCutOff() throws Exception {
    HttpClientResponse answer =
        get(request(HttpMethod.GET, "/flood").compose(HttpClientRequest::send));
    answer.pause();
    assertInstanceOf(ClientGone.class, failure.get(20, TimeUnit.SECONDS));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 65_535, 1 << 20})
  void aClientThatTakesNothingOfAWholeAnswerIsCutOff(int window) throws Exception {
    HttpClient stingy = client.openWithWindow(window);
    HttpClientResponse answer =
        get(
            stingy
                .request(HttpMethod.GET, server.port(), "127.0.0.1", "/large")
                .compose(HttpClientRequest::send));
    CompletableFuture<Throwable> cut = new CompletableFuture<>();
    answer.exceptionHandler(cut::complete).pause();
    cut.get(20, TimeUnit.SECONDS);
    while (watching.lines.isEmpty()) {
      Thread.sleep(10); // until the exchange is over
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/page", "/streamed"})
  void noneOfManySmallAnswersBesidePagesIsReset(String page) throws Exception {
    ListenOptions often =
        ListenOptions.ofPort(0)
            .host("127.0.0.1")
            .tls(certificate.tls())
            .bodyTimeout(Duration.ofMillis(80)); // a look each 20 ms
    AtomicInteger lost = new AtomicInteger();
    Semaphore streams = new Semaphore(60);
    try (Server looking =
        new VertxEngine().listen(Chain.service(new Settings(), watching, this::route), often)) {
      for (int i = 0; i < 1_500; i++) {
        streams.acquire();
        String target = i % 8 == 0 ? page : "/"; // pages use up what a connection may send
        http.request(HttpMethod.GET, looking.port(), "127.0.0.1", target)
            .compose(HttpClientRequest::send)
            .compose(HttpClientResponse::body)
            .onFailure(failure -> lost.incrementAndGet())
            .onComplete(done -> streams.release());
      }
      streams.acquire(60);
    }
    assertEquals(0, lost.get());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/large", "/file?name=large"})
  void aClientThatReadsSlowlyButSteadilyGetsTheWholeAnswer(String target) throws Exception {
    Files.write(folder.resolve("large"), new byte[LARGE]);
    AtomicInteger bytes = new AtomicInteger();
    CompletableFuture<Void> ended = new CompletableFuture<>();
    HttpClientResponse answer =
        get(
            request(HttpMethod.GET, target)
                .compose(HttpClientRequest::send)
                .onSuccess(
                    begun ->
                        begun
                            .pause()
                            .handler(piece -> bytes.addAndGet(piece.length()))
                            .endHandler(end -> ended.complete(null))
                            .exceptionHandler(ended::completeExceptionally)));
    long started = System.nanoTime();
    while (!ended.isDone()) {
      answer.fetch(8);
      Thread.sleep(40);
    }
    ended.get();
    assertEquals(LARGE, bytes.get());
    long took = System.nanoTime() - started;
    assertTrue(took > WRITE_TIMEOUT.toNanos(), "read too fast to show anything");
  }

  @Test
  void aStreamThatIsCancelledEndsItsExchangeOnly() throws Exception {
    get(request(HttpMethod.GET, "/").compose(HttpClientRequest::send));
    Future<Buffer> neighbour = slowNeighbour();
    HttpClientRequest upload = get(request(HttpMethod.POST, "/read"));
    upload.putHeader("Content-Length", "10").write(Buffer.buffer("abc"));
    Thread.sleep(100);
    upload.reset(8);
    assertInstanceOf(ClientGone.class, failure.get(20, TimeUnit.SECONDS));
    assertThrows(ExecutionException.class, () -> get(upload.response()));
    assertEquals("slow", get(neighbour).toString());
  }

  @Test
  void headersOfAConnectionAreNotSentOnAStream() throws Exception {
    List<Object> seen =
        get(
            request(HttpMethod.GET, "/")
                .compose(HttpClientRequest::send)
                .compose(answer -> answer.body().map(body -> seen(answer, body))));
    assertEquals(Arrays.asList(null, null, "fine"), seen);
  }

  private static List<Object> seen(HttpClientResponse answer, Buffer body) {
    return Arrays.asList(
        answer.getHeader("Connection"), answer.getHeader("Keep-Alive"), body.toString());
  }
}
