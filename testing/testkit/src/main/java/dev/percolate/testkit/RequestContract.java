package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.percolate.core.Handler;
import dev.percolate.core.Request;
import dev.percolate.core.RequestControl;
import dev.percolate.core.Response;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests requests and their bodies. */
abstract class RequestContract extends ServiceTrial {

  RequestContract(TestedEngine engine) {
    super(engine);
  }

  @Test
  void headersKeepTheirOrderAndNames() throws Exception {
    Call call = Call.get("/").header("X-Zed", "1").header("x-alpha", "2").header("X-mId", "3");
    String expected = "X-Zed=1 x-alpha=2 X-mId=3";
    List<String> lines = lines(engine.keepsNames() ? expected : expected.toLowerCase(Locale.ROOT));
    assertEquals(lines, lines(call.to(client((Handler) RequestContract::sendOwnHeaders)).text()));
  }

  @Test
  void repeatedHeadersAreKept() throws Exception {
    Call call = Call.get("/").header("X-A", "1").header("X-B", "2").header("X-A", "3");
    Handler all = (req, res) -> res.send(req.headers().all("x-a") + " " + req.get("X-A"));
    assertEquals("[1, 3] 1, 3", call.to(client(all)).text());
  }

  @Test
  void theTargetIsUntouched() throws Exception {
    String target = "/a%2Fb/../c//d;p?x=%C3%A4&&y=+&z";
    Handler raw = (req, res) -> res.send(req.originalUrl());
    assertEquals(target, Call.get(target).to(client(raw)).text());
  }

  @Test
  void theMethodIsUntouched() throws Exception {
    Handler method = (req, res) -> res.send(req.method() + " " + req.httpVersion());
    Client client = client(method);
    assertEquals("PROPFIND " + engine.version(), Call.of("PROPFIND", "/").to(client).text());
    assertEquals("OPTIONS " + engine.version(), Call.options("/").to(client).text());
    assertEquals("DELETE " + engine.version(), Call.delete("/").to(client).text());
  }

  /** See RFC 9110 section 9.1. */
  @Test
  void theLetterCaseOfTheMethodIsUntouched() throws Exception {
    Client client = client((Handler) (req, res) -> res.send(req.method()));
    for (String method : List.of("get", "Get", "post", "pOST", "options", "delete", "frob")) {
      assertEquals(method, Call.of(method, "/").to(client).text());
    }
  }

  @Test
  void aWholeBodyArrives() throws Exception {
    byte[] body = pattern(300_000);
    Reply reply = Call.post("/").body(body).to(client((Handler) ServiceTrial::echo));
    assertArrayEquals(body, reply.bytes());
  }

  @Test
  void aBodyInChunksArrivesInOrder() throws Exception {
    TestConnection connection =
        open(client((Handler) ServiceTrial::echo), Call.post("/").chunked());
    for (int i = 0; i < 5; i++) {
      Thread.sleep(20);
      connection.send("piece " + i + ";");
    }
    assertEquals(
        "piece 0;piece 1;piece 2;piece 3;piece 4;", connection.send("").finish().reply().text());
  }

  @Test
  void anEmptyBodyIsPresentAndAnAbsentOneIsNot() throws Exception {
    Client client =
        client(
            (Handler)
                (req, res) -> {
                  boolean there = req.hasBody();
                  readText(req, (text, failure) -> res.send(there + "<" + text + ">" + failure));
                });
    assertEquals("true<>null", Call.post("/").body("").to(client).text());
    assertEquals("true<>null", Call.post("/").body("").chunked().to(client).text());
    assertEquals("false<>null", Call.post("/").to(client).text());
    assertEquals("false<>null", Call.get("/").to(client).text());
  }

  @Test
  void aBodyIsReadOnce() throws Exception {
    Client client =
        client(
            (Handler)
                (req, res) -> {
                  boolean before = RequestControl.readable(req);
                  readText(req, (text, failure) -> res.send(before + twice(req)));
                });
    assertEquals("truestream.not.readable", Call.post("/").body("x").to(client).text());
  }

  @Test
  void aHangUpWithinTheBodyIsAnIOException() throws Exception {
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    Handler reading =
        (req, res) -> {
          begun.countDown();
          readText(req, (text, failure) -> seen.complete(failure == null ? new Error() : failure));
        };
    TestConnection connection =
        open(client(reading), Call.post("/").header("Content-Length", "100")).send("half");
    assertTrue(begun.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    connection.disconnect();
    assertInstanceOf(IOException.class, seen.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void aHangUpWithinTheBodyIsAnIOExceptionOfTheStream() throws Exception {
    assumeTrue(blocks());
    CompletableFuture<Throwable> seen = new CompletableFuture<>();
    CountDownLatch begun = new CountDownLatch(1);
    Handler reading =
        (req, res) -> {
          begun.countDown();
          try {
            req.inputStream().readAllBytes();
          } catch (IOException e) {
            seen.complete(e);
          }
        };
    TestConnection connection = open(client(reading), Call.post("/").chunked()).send("half");
    assertTrue(begun.await(DEADLINE_SECONDS, TimeUnit.SECONDS));
    connection.disconnect();
    assertInstanceOf(IOException.class, seen.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void anInputStreamWaitsForTheBody() throws Exception {
    assumeTrue(blocks());
    Handler stream = (req, res) -> res.send(req.inputStream().readAllBytes());
    TestConnection connection = open(client(stream), Call.post("/").chunked()).send("slow ");
    Thread.sleep(50);
    assertEquals("slow body", connection.send("body").finish().reply().text());
  }

  @Test
  void anInputStreamBeyondItsLimitIs413() throws Exception {
    assumeTrue(blocks());
    Handler stream = (req, res) -> res.send("" + req.inputStream(1000).readAllBytes().length);
    Client client = client(stream);
    assertEquals("1000", Call.post("/").body(new byte[1000]).to(client).text());
    assertEquals(413, Call.post("/").body(new byte[1001]).to(client).status());
  }

  @Test
  void anInputStreamOnTheEventLoopThrows() throws Exception {
    assumeFalse(blocks());
    AtomicReference<Object> seen = new AtomicReference<>();
    Handler stream =
        (req, res) -> {
          try {
            seen.set(req.inputStream().read());
          } catch (IllegalStateException e) {
            seen.set(e);
          }
          res.send("alive");
        };
    assertEquals("alive", Call.post("/").body("x").to(client(stream)).text());
    assertInstanceOf(IllegalStateException.class, seen.get());
  }

  @Test
  void aPublisherDeliversTheBodyOnDemand() throws Exception {
    AtomicInteger most = new AtomicInteger();
    Handler published =
        (req, res) -> req.publisher().subscribe(new ChunkSubscriber(most, text -> res.send(text)));
    byte[] body = pattern(200_000);
    assertArrayEquals(body, Call.post("/").body(body).to(client(published)).bytes());
    assertEquals(1, most.get(), "chunks for a demand of one");
  }

  @Test
  void aReaderMayStopBeforeTheEndOfTheBody() throws Exception {
    Handler first =
        (req, res) -> req.read(new FirstChunk(text -> res.send(text.isEmpty() ? "none" : "some")));
    assertEquals("some", Call.post("/").body(pattern(100_000)).to(client(first)).text());
  }

  @Test
  void anUnreadBodyDoesNotDisturbTheNextRequest() throws Exception {
    Client client = client((Handler) (req, res) -> res.send("at " + req.url()));
    TestConnection first = open(client, Call.post("/1").body(pattern(100_000)));
    TestConnection second = first.then(Call.post("/2").body("x").chunked());
    assertEquals("at /1", first.reply().text());
    assertEquals("at /2", second.reply().text());
    assertEquals("at /3", second.then(Call.get("/3")).reply().text());
  }

  @Test
  void anUnreadBodyIsBufferedUpToALimit() throws Exception {
    CompletableFuture<Response> held = new CompletableFuture<>();
    TestConnection connection =
        open(client((Handler) (req, res) -> held.complete(res)), Call.post("/").chunked());
    byte[] piece = new byte[64 << 10];
    long all = engine.maxHeld() + (8L << 20);
    for (long sent = 0; sent < all; sent += piece.length) {
      connection.send(piece);
    }
    Response response = held.get(20, TimeUnit.SECONDS); // from then on, the server may read
    long taken = still(connection::accepted);
    assertTrue(taken <= engine.maxHeld(), () -> taken + " bytes accepted, but no handler reads");
    response.send("enough");
    connection.head();
  }

  @Test
  void readingBlocksOrCallsBackAfterTheHandlerHasReturned() throws Exception {
    List<String> events = new ArrayList<>();
    Handler reading =
        (req, res) -> {
          Thread thread = Thread.currentThread();
          readText(
              req,
              (text, failure) -> {
                events.add(thread == Thread.currentThread() ? "read, same thread" : "read");
                res.send(text);
              });
          events.add("returned");
        };
    TestConnection connection = open(client(reading), Call.post("/").chunked());
    Thread.sleep(50);
    assertEquals("x", connection.send("x").finish().reply().text());
    if (engine.threads().parks()) {
      assertEquals("read, same thread", events.get(0));
    } else {
      assertEquals("returned", events.get(0));
    }
  }

  /** Returns the headers in a text; sorted if the engine does not keep their order. */
  private List<String> lines(String text) {
    List<String> lines = Arrays.asList(text.strip().split(" "));
    return engine.keepsOrder() ? lines : lines.stream().sorted().toList();
  }

  private static void sendOwnHeaders(Request req, Response res) {
    StringBuilder text = new StringBuilder();
    req.headers()
        .forEach(
            (name, value) -> {
              if (name.toLowerCase(Locale.ROOT).startsWith("x-")) {
                text.append(name).append('=').append(value).append(' ');
              }
            });
    res.send(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String twice(Request req) {
    try {
      readText(req, (text, failure) -> {});
      return "read twice";
    } catch (HttpError e) {
      return String.valueOf(e.type());
    }
  }
}
