package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.FileOptions;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests responses. */
abstract class ResponseContract extends ServiceTrial {

  /** The number of bytes that a response buffers if handlers must not block. */
  private static final long WRITTEN_AHEAD = 1 << 20;

  ResponseContract(TestedEngine engine) {
    super(engine);
  }

  @Test
  void statusAndHeadersGoOutInOrderAsSet() throws Exception {
    Handler handler =
        (req, res) ->
            res.status(203)
                .set("X-One", "1")
                .append("x-two", "2")
                .append("X-Two", "3")
                .set("Set-Cookie", "a=1")
                .set("Set-Cookie", "b=2")
                .send("body");
    Reply reply = Call.get("/").to(client(handler));
    assertEquals(203, reply.status());
    assertEquals("1", reply.header("X-One"));
    assertEquals(List.of("2", "3"), reply.all("X-Two"));
    assertEquals(List.of("a=1", "b=2"), reply.all("Set-Cookie"));
    assertEquals("body", reply.text());
  }

  @Test
  void endSetsTheContentLength() throws Exception {
    Client client = client((Handler) (req, res) -> res.end("four"));
    Reply reply = Call.get("/").to(client);
    assertEquals("4", reply.header("Content-Length"));
    assertEquals("four", reply.text());
    Reply empty = Call.get("/").to(client((Handler) (req, res) -> res.end()));
    assertEquals("0", empty.header("Content-Length"));
    assertTrue(empty.complete());
  }

  @Test
  void aLargeAnswerArrivesWhole() throws Exception {
    byte[] body = pattern(4 << 20);
    assertArrayEquals(
        body, Call.get("/").to(client((Handler) (req, res) -> res.send(body))).bytes());
  }

  @Test
  void chunksAreSentWhenTheyAreWritten() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    Handler streaming =
        (req, res) -> {
          res.write("one");
          elsewhere(
              () -> {
                seen.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
                res.write(",two");
                res.end(",three");
              });
        };
    TestConnection connection = open(client(streaming), Call.get("/")).await("one");
    assertEquals("one", connection.head().text());
    seen.countDown();
    Reply reply = connection.reply();
    assertEquals("one,two,three", reply.text());
    assertNull(reply.header("Content-Length"));
    assertTrue(reply.complete());
  }

  @Test
  void flushHeadSendsTheHeadersBeforeAnyBody() throws Exception {
    AtomicReference<Response> held = new AtomicReference<>();
    Handler flushing =
        (req, res) -> {
          res.status(202).set("X-Early", "1").flushHeaders();
          held.set(res);
        };
    TestConnection connection = open(client(flushing), Call.get("/"));
    assertEquals("1", connection.head().header("X-Early"));
    await("the handler has flushed", () -> held.get() != null);
    Objects.requireNonNull(held.get()).end("body");
    assertEquals("202 body", connection.reply().status() + " " + connection.reply().text());
  }

  @Test
  void flushHeadSendsTheHeadersOfAResponseToHead() throws Exception {
    CompletableFuture<Response> held = new CompletableFuture<>();
    Handler flushing =
        (req, res) -> {
          res.set("X-Early", "1").flushHeaders();
          held.complete(res);
        };
    TestConnection connection = open(client(flushing), Call.head("/"));
    assertEquals("1", connection.head().header("X-Early"));
    held.get(DEADLINE_SECONDS, TimeUnit.SECONDS).write("dropped").end();
    assertEquals("200<>", connection.reply().status() + "<" + connection.reply().text() + ">");
  }

  @Test
  void anOutputStreamWritesTheBodyAndEndsIt() throws Exception {
    byte[] piece = pattern(5000);
    Handler streaming =
        (req, res) -> {
          try (OutputStream out = res.outputStream()) {
            for (int i = 0; i < 20; i++) {
              out.write(piece);
            }
            out.write('.');
          }
        };
    Reply reply = Call.get("/").to(client(streaming));
    assertEquals(100_001, reply.bytes().length);
    assertEquals(new String(piece, StandardCharsets.UTF_8).repeat(20) + ".", reply.text());
  }

  @Test
  void headAnswersWithoutABody() throws Exception {
    Handler handler = (req, res) -> res.send("four");
    Handler streaming =
        (req, res) -> {
          res.write("o");
          res.end("ne");
        };
    for (Handler one : List.of(handler, streaming)) {
      TestConnection connection = open(client(one), Call.head("/"));
      Reply reply = connection.reply();
      assertEquals("200<>", reply.status() + "<" + reply.text() + ">");
      assertTrue(reply.complete());
      assertTrue(connection.then(Call.head("/")).reply().complete(), "the next on the connection");
    }
    assertEquals("4", Call.head("/").to(client(handler)).header("Content-Length"));
  }

  @Test
  void headHasNoLengthIfGetHasNone() throws Exception {
    Handler streaming = (req, res) -> res.write("o").write("ne").end();
    Handler unknown =
        (req, res) -> {
          res.onHeaders(() -> res.remove("Content-Length"));
          res.send("four");
        };
    for (Handler one : List.of(streaming, unknown)) {
      Reply reply = Call.head("/").to(client(one));
      assertNull(reply.header("Content-Length"), reply::toString);
      assertTrue(reply.complete());
    }
  }

  @Test
  void aWrongLengthOfAWholeBodyIsCorrected() throws Exception {
    Handler handler =
        (req, res) -> {
          res.set("Content-Length", Objects.requireNonNull(req.query("length")));
          if (req.path().equals("/end")) {
            res.end("hello");
          } else {
            res.send("hello");
          }
        };
    Client client = client(handler);
    for (String target : List.of("/send?length=3", "/send?length=99", "/end?length=3")) {
      TestConnection connection = open(client, Call.get(target));
      Reply reply = connection.reply();
      assertEquals("200 hello 5", reply.status() + " " + reply.text() + " " + length(reply));
      assertTrue(reply.complete());
      assertEquals("hello", connection.then(Call.get(target)).reply().text(), "the next one");
      assertEquals("5", length(Call.head(target).to(client)));
    }
  }

  @Test
  void aFirstChunkLongerThanContentLengthIs500() throws Exception {
    Handler handler = (req, res) -> res.set("Content-Length", "3").write("hello");
    TestConnection connection = open(client(handler), Call.get("/"));
    Reply reply = connection.reply();
    assertEquals(500, reply.status());
    if (!"close".equals(reply.header("Connection"))) { // as Tomcat does after an error
      assertEquals(500, connection.then(Call.get("/")).reply().status());
    }
  }

  @Test
  void status204And304HaveNoBody() throws Exception {
    for (int status : new int[] {204, 304}) {
      Client client =
          client(
              (Handler)
                  (req, res) -> {
                    res.status(status);
                    if (req.url().equals("/write")) {
                      res.write("no");
                    }
                    res.end("body");
                  });
      TestConnection connection = open(client, Call.get("/"));
      Reply reply = connection.reply();
      assertEquals(status + "<>", reply.status() + "<" + reply.text() + ">");
      assertNull(reply.header("Content-Length"), reply::toString);
      assertNull(reply.header("Transfer-Encoding"), reply::toString);
      assertEquals(status, connection.then(Call.get("/write")).reply().status());
    }
  }

  @Test
  void settingHeadersWithLineBreaksThrows() throws Exception {
    List<String> bad = List.of("a\r\nX-Evil: 1", "a\nb", "a\rb", "\u0000");
    Handler handler =
        (req, res) -> {
          int rejected = 0;
          for (String value : bad) {
            try {
              res.set("X-A", value);
            } catch (IllegalArgumentException e) {
              rejected++;
            }
          }
          res.send("refused " + rejected);
        };
    Reply reply = Call.get("/").to(client(handler));
    assertEquals("refused 4", reply.text());
    assertNull(reply.header("X-A"));
    assertNull(reply.header("X-Evil"));
  }

  @Test
  void headerHooksRunInReverseAndMayChangeHeaders() throws Exception {
    List<String> order = new ArrayList<>();
    Handler handler =
        (req, res) -> {
          res.onHeaders(() -> order.add("first, " + res.get("X-Hook")));
          res.onHeaders(
              () -> {
                order.add("second");
                res.set("X-Hook", "set").status(201);
              });
          res.send("body");
        };
    Reply reply = Call.get("/").to(client(handler));
    assertEquals("201 set", reply.status() + " " + reply.header("X-Hook"));
    assertEquals(List.of("second", "first, set"), order);
  }

  @Test
  void headersCannotBeChangedAfterTheResponseHasStarted() throws Exception {
    AtomicReference<Throwable> seen = new AtomicReference<>();
    Handler handler =
        (req, res) -> {
          res.write("started");
          try {
            res.set("X-Late", "1");
          } catch (IllegalStateException e) {
            seen.set(e);
          }
          res.end();
        };
    assertNull(Call.get("/").to(client(handler)).header("X-Late"));
    assertTrue(seen.get() instanceof IllegalStateException);
  }

  @Test
  void pipelinedCallsAreAnsweredInOrder() throws Exception {
    Handler handler =
        (req, res) -> {
          if (req.url().equals("/0")) {
            elsewhere(
                () -> {
                  Thread.sleep(50);
                  res.send("slow /0");
                });
          } else {
            res.send("quick " + req.url());
          }
        };
    List<TestConnection> talks = new ArrayList<>();
    talks.add(open(client(handler), Call.get("/0")));
    for (int i = 1; i < 10; i++) {
      talks.add(talks.get(i - 1).then(Call.get("/" + i)));
    }
    assertEquals("slow /0", talks.get(0).reply().text());
    for (int i = 1; i < 10; i++) {
      assertEquals("quick /" + i, talks.get(i).reply().text());
    }
  }

  @Test
  void aClientThatStopsReadingMakesTheWriterWait() throws Exception {
    long most = blocks() ? engine.maxHeld() : engine.maxHeld() + WRITTEN_AHEAD;
    int pieces = (int) (most >> 16) + 64;
    AtomicLong written = new AtomicLong();
    byte[] piece = pattern(64 << 10);
    CountDownLatch failed = new CountDownLatch(1);
    Middleware streaming =
        (req, res, next) ->
            readText(
                req,
                (text, failure) -> {
                  try {
                    for (int i = 0; i < pieces; i++) {
                      res.write(piece);
                      written.addAndGet(piece.length);
                    }
                    res.end();
                  } catch (IOException e) {
                    failed.countDown();
                    next.fail(e);
                  }
                });
    // Nothing is written before the end of the body: the client has stopped reading by then.
    TestConnection connection = open(client(streaming), Call.post("/").chunked()).pause().finish();
    long taken = still(written::get);
    assertTrue(taken <= most, () -> taken + " bytes written, but the client does not read");
    if (!blocks()) {
      assertTrue(failed.await(DEADLINE_SECONDS, TimeUnit.SECONDS), "an error, not a wait");
    }
    connection.resume();
    Reply reply = connection.reply();
    assertEquals(!blocks(), reply.aborted());
    if (blocks()) {
      assertEquals((long) pieces * piece.length, reply.bytes().length);
    }
  }

  @Test
  void finishHooksDoNotWaitForAnUnreadBody() throws Exception {
    CountDownLatch finished = new CountDownLatch(1);
    Handler early =
        (req, res) -> {
          res.onFinish(finished::countDown);
          res.end("early");
        };
    TestConnection connection = open(client(early), Call.post("/").chunked()).send("begun");
    assertEquals("early", connection.await("early").head().text());
    assertTrue(finished.await(DEADLINE_SECONDS, TimeUnit.SECONDS), "the client is still sending");
    connection.finish();
  }

  @Test
  void status205HasNoBodyAndTheNextResponseIsIntact() throws Exception {
    Handler reset =
        (req, res) -> {
          if (req.url().equals("/write")) {
            res.status(205).write("bo");
          }
          res.status(205).end("body");
        };
    Client client = client(reset);
    for (String target : List.of("/", "/write")) {
      TestConnection connection = open(client, Call.get(target));
      Reply reply = connection.reply();
      assertEquals("205<>0", reply.status() + "<" + reply.text() + ">" + length(reply));
      assertEquals(205, connection.then(Call.get(target)).reply().status());
    }
  }

  @Test
  void aMethodChangedFromOrToHeadKeepsTheFramingThatTheClientExpects() throws Exception {
    Middleware override =
        (req, res, next) -> {
          req.method(req.method().equals("HEAD") ? "GET" : "HEAD");
          next.run();
        };
    Handler handler =
        (req, res) -> {
          switch (req.path()) {
            case "/write" -> res.write("bo").write("dy").end();
            case "/end" -> res.end("body");
            default -> res.send("body");
          }
        };
    Client client = client(override, handler);
    for (String target : List.of("/send", "/end", "/write")) {
      TestConnection connection = open(client, Call.post(target).body("x"));
      Reply reply = connection.reply();
      assertEquals("200<>0", reply.status() + "<" + reply.text() + ">" + length(reply), target);
      Reply next = connection.then(Call.head(target)).reply();
      assertEquals("200<>", next.status() + "<" + next.text() + ">", target);
      assertTrue(connection.then(Call.head(target)).reply().complete(), target);
    }
    assertEquals("4", length(Call.head("/send").to(client)));
    if (!engine.version().equals("1.1")) {
      return; // requests cannot close the connection
    }
    Reply last = Call.post("/send").header("Connection", "close").to(client);
    assertEquals("200<>4", last.status() + "<" + last.text() + ">" + length(last));
  }

  private static @Nullable String length(Reply reply) {
    return reply.header("Content-Length");
  }

  @Test
  void aFileArrivesWhole(@TempDir Path folder) throws Exception {
    byte[] content = pattern((1 << 20) + 17);
    Path file = Files.write(folder.resolve("large.txt"), content);
    Client client = client((Handler) (req, res) -> res.sendFile(file));
    TestConnection connection = open(client, Call.get("/"));
    Reply reply = connection.reply();
    assertArrayEquals(content, reply.bytes());
    assertEquals("" + content.length, reply.header("Content-Length"));
    assertType("text/plain; charset=utf-8", reply.header("Content-Type"));
    assertArrayEquals(content, connection.then(Call.get("/")).reply().bytes());
    Reply head = Call.head("/").to(client);
    assertEquals("0 " + content.length, head.bytes().length + " " + head.header("Content-Length"));
  }

  @Test
  void aFileOfAJarArrivesWholeAtASlowClient(@TempDir Path folder) throws Exception {
    byte[] content = pattern((3 << 20) + 17);
    Path jar = folder.resolve("a.jar");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry("public/large.txt"));
      out.write(content);
    }
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      FileOptions options = FileOptions.none().classPath("/public", loader);
      Path file = Path.of("large.txt");
      Middleware sending =
          (req, res, next) -> readText(req, (text, failure) -> res.sendFile(file, options));
      TestConnection connection = open(client(sending), Call.post("/").chunked()).pause().finish();
      Thread.sleep(50); // the buffers of the connection are full by then
      connection.resume();
      assertArrayEquals(content, connection.reply().bytes());
      Reply head = Call.head("/").to(client(sending));
      assertEquals(
          "0 " + content.length, head.bytes().length + " " + head.header("Content-Length"));
    }
  }

  @Test
  void anEmptyFileIsAnEmptyResponseAndAMissingFileIs404(@TempDir Path folder) throws Exception {
    Path empty = Files.createFile(folder.resolve("empty.html"));
    Handler handler =
        (req, res) -> res.sendFile(req.url().equals("/empty") ? empty : folder.resolve("none"));
    Client client = client(handler);
    Reply reply = Call.get("/empty").to(client);
    assertEquals(
        "200 0 0",
        reply.status() + " " + reply.header("Content-Length") + " " + reply.bytes().length);
    assertEquals(404, Call.get("/none").to(client).status());
    assertEquals(
        404, Call.get("/").to(client((Handler) (req, res) -> res.sendFile(folder))).status());
  }

  private void assertType(String expected, @Nullable String type) {
    boolean same = expected.equals(type);
    if (type != null && !engine.keepsTypes()) {
      same = expected.replace(" ", "").equalsIgnoreCase(type.replace(" ", ""));
    }
    assertTrue(same, () -> "expected " + expected + ", got " + type);
  }
}
