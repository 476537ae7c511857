package dev.percolate.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.core.Chain;
import dev.percolate.core.Handler;
import dev.percolate.core.Middleware;
import dev.percolate.core.Settings;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestExchangeTest {

  private static final Handler SILENT = (req, res) -> {};

  private final List<String> seen = new ArrayList<>();

  private static TestExchange played(TestExchange exchange, Middleware step) {
    return exchange.serve(Chain.service(new Settings(), step));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void read(Exchange exchange) {
    exchange.read(
        (chunk, failure) ->
            seen.add(
                chunk == null
                    ? "end " + failure
                    : StandardCharsets.UTF_8.decode(chunk).toString()));
  }

  @Test
  void handlersSeeTheRequestUnchanged() {
    TestExchange exchange =
        TestExchange.of("LINK", "/a\u001b")
            .header("X", "\u001b")
            .httpVersion("1.0")
            .remoteAddress("192.0.2.7");
    Handler handler =
        (req, res) ->
            seen.add(
                req.method() + req.originalUrl() + req.get("X") + req.httpVersion() + req.ip());
    Settings settings = new Settings().set(Settings.AMBIGUOUS_TARGETS, "pass");
    exchange.serve(Chain.service(settings, handler));
    assertEquals(List.of("LINK/a\u001b\u001b1.0192.0.2.7"), seen);
  }

  @Test
  void theResponseIsRecorded() {
    Handler handler = (req, res) -> res.status(201).set("X", "y").send("whole");
    TestExchange exchange = played(TestExchange.of("GET", "/"), handler);
    Reply reply = exchange.reply();
    assertEquals("201 y whole", reply.status() + " " + reply.header("X") + " " + reply.text());
    assertTrue(exchange.isOver() && reply.complete());
  }

  @Test
  void theResponseSoFarCanBeRead() {
    TestExchange exchange = TestExchange.of("GET", "/");
    assertEquals(0, exchange.replySoFar().status());
    exchange.start(200, new Headers());
    exchange.write(ByteBuffer.wrap(bytes("part")), failure -> seen.add("taken " + failure));
    assertEquals("200 part", exchange.replySoFar().status() + " " + exchange.replySoFar().text());
    assertEquals(List.of("taken null"), seen);
    assertFalse(exchange.isOver());
  }

  @Test
  void aBodyIsReadInChunks() {
    TestExchange exchange =
        TestExchange.of("POST", "/").chunk(bytes("abc")).chunk(bytes("")).chunk(bytes("de"));
    exchange.chunkSize(4);
    read(exchange);
    read(exchange);
    read(exchange);
    assertEquals(List.of("abcd", "e", "end null"), seen);
    assertEquals(3, exchange.reads());
  }

  @Test
  void headersOrInHttp2ChunksIndicateABody() {
    TestExchange exchange = TestExchange.of("POST", "/").length(0);
    assertTrue(exchange.hasBody());
    assertEquals("Transfer-Encoding: chunked\n", exchange.chunked().headers().toString());
    assertTrue(exchange.hasBody());
    assertFalse(TestExchange.of("POST", "/").chunk(bytes("a")).hasBody());
    assertFalse(TestExchange.of("POST", "/").httpVersion("2.0").chunk(bytes("")).hasBody());
    assertTrue(TestExchange.of("POST", "/").httpVersion("2.0").chunk(bytes("a")).hasBody());
  }

  @Test
  void aBodyFailsAfterItsChunks() {
    TestExchange exchange = TestExchange.of("POST", "/").chunk(bytes("a"));
    exchange.failing(new IOException("reset"));
    read(exchange);
    read(exchange);
    assertEquals(List.of("a", "end java.io.IOException: reset"), seen);
  }

  @Test
  void anAsynchronousExchangeUsesOtherThreads() {
    TestExchange exchange = TestExchange.of("POST", "/").chunk(bytes("a")).asynchronous();
    assertFalse(exchange.mayBlock());
    List<Thread> threads = new CopyOnWriteArrayList<>();
    Middleware step =
        (req, res, next) -> {
          threads.add(Thread.currentThread());
          exchange.read(
              (chunk, failure) -> {
                threads.add(Thread.currentThread());
                res.send("read");
              });
        };
    assertEquals("read", played(exchange, step).reply().text());
    assertEquals(2, threads.size());
    assertFalse(threads.contains(Thread.currentThread()));
  }

  @Test
  void aResponseInProgressIsNeitherCompleteNorAborted() {
    TestExchange exchange = TestExchange.of("GET", "/");
    exchange.start(200, new Headers());
    Reply reply = exchange.replySoFar();
    assertFalse(reply.complete() || reply.aborted());
    assertTrue(reply.toString().startsWith("200 (in progress)\n"), reply::toString);
  }

  @Test
  void aDisconnectedClientGetsNoBytesAndHasNoAddress() {
    TestExchange exchange = TestExchange.of("GET", "/");
    exchange.onEnd(failure -> seen.add("over " + (failure instanceof ClientDisconnectedException)));
    exchange.start(200, new Headers());
    exchange.disconnect();
    exchange.disconnect();
    exchange.write(ByteBuffer.wrap(bytes("late")), failure -> seen.add("" + (failure != null)));
    exchange.end(ByteBuffer.wrap(bytes("late")));
    assertEquals(List.of("over true", "true"), seen);
    assertEquals("", exchange.reply().text() + exchange.remoteAddress());
    assertTrue(exchange.isOver() && exchange.reply().aborted());
  }

  @Test
  void theEndIsReportedToLateListeners() {
    TestExchange exchange = played(TestExchange.of("GET", "/"), SILENT);
    exchange.abort();
    TestExchange other = TestExchange.of("GET", "/");
    other.abort();
    other.onEnd(failure -> seen.add(failure == null ? "complete" : failure.getMessage()));
    assertEquals(List.of("aborted by the server"), seen);
    assertTrue(exchange.reply().aborted());
  }

  @Test
  void aFileIsRecordedAndClosed(@TempDir Path folder) throws IOException {
    Path path = Files.writeString(folder.resolve("f"), "0123456789");
    FileChannel file = FileChannel.open(path);
    TestExchange exchange = TestExchange.of("GET", "/");
    exchange.start(200, new Headers());
    exchange.sendFile(file, 2, 3);
    assertEquals("234", exchange.reply().text());
    assertFalse(file.isOpen());
    TestExchange shorter = TestExchange.of("GET", "/");
    shorter.start(200, new Headers());
    shorter.sendFile(FileChannel.open(path), 8, 3);
    assertTrue(shorter.reply().aborted());
  }
}
