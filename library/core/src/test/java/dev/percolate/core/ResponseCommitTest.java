package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ResponseCommitTest {

  private static final int KIB = 1 << 10;

  private final FakeExchange exchange = new FakeExchange();
  private final Response res = exchange.response();

  @Test
  void aChunkBeyondContentLengthIsRejectedBeforeItIsSent() throws Exception {
    res.set("Content-Length", "5").write("abc");
    assertThrows(IllegalStateException.class, () -> res.write("def"));
    res.end("de");
    assertEquals("abcde", exchange.body());
    assertFalse(exchange.calls.contains("abort"));
  }

  @Test
  void aCallbackOfOfferDoesNotBlockOtherWriters() throws Exception {
    res.write("a");
    List<String> outcomes = new ArrayList<>();
    res.offer(
        new byte[] {'b'},
        failure -> {
          Thread other = new Thread(() -> write("c"));
          other.start();
          outcomes.add(ends(other) + " " + failure);
        });
    assertEquals(List.of("true null"), outcomes);
    res.end("d");
    assertEquals("abcd", exchange.body());
  }

  private static boolean ends(Thread thread) {
    try {
      thread.join(5_000);
      return !thread.isAlive();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void write(String text) {
    try {
      res.write(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void headKeepsContentLengthAndDropsTheBody() throws Exception {
    exchange.method = "HEAD";
    exchange.response().set("Content-Length", "5").write("abc").end();
    assertEquals(List.of("start", "end"), exchange.calls);
    assertEquals("5", exchange.header("Content-Length"));
    assertEquals("", exchange.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-5", "+5", "five", "0x5"})
  void anInvalidLengthFailsBeforeTheHead(String length) {
    res.set("Content-Length", length);
    assertThrows(NumberFormatException.class, () -> res.end("12345"));
    assertEquals(List.of(), exchange.calls);
    res.send("12345");
    assertEquals("5", exchange.header("Content-Length"));
  }

  @Test
  void aLengthSetTwiceFailsBeforeTheHead() {
    res.set("Content-Length", "5").append("content-length", "7");
    assertThrows(IllegalStateException.class, () -> res.end("12345"));
    assertEquals(List.of(), exchange.calls);
    res.send("12345");
    assertEquals(List.of("5"), exchange.headers.all("Content-Length"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "POST"})
  void aResponseWithStatus205HasNoBodyAndLengthZero(String method) throws Exception {
    for (String kind : List.of("send", "end", "write")) {
      FakeExchange reset = FakeExchange.of(method, "/");
      Response res = reset.response().status(205);
      switch (kind) {
        case "send" -> res.send("body");
        case "end" -> res.end("body");
        default -> res.write("bo").write("dy").end();
      }
      assertEquals(List.of("start", "end"), reset.calls, kind);
      assertEquals("0", reset.header("Content-Length"), kind);
      assertEquals("", reset.body(), kind);
    }
  }

  @Test
  void theHeadersOfAStartedResponseCannotBeChangedDirectly() {
    res.end("x");
    assertThrows(IllegalStateException.class, () -> res.headers().set("Content-Length", "2"));
    assertThrows(IllegalStateException.class, () -> res.headers().remove("Content-Length"));
  }

  @Test
  void aSecondResponseIsCountedAndNamesBothPlacesInDevelopment() {
    exchange.setting("env", "development");
    res.send("first");
    IllegalStateException rejected =
        assertThrows(IllegalStateException.class, () -> res.send("second"));
    String message = String.valueOf(rejected.getMessage());
    String place = "(ResponseCommitTest.java:";
    assertTrue(message.indexOf(place) < message.lastIndexOf(place), message);
    assertTrue(message.contains("ResponseCommitTest.aSecondResponseIsCounted"), message);
    assertEquals(1, exchange.appState.counters().duplicateResponses());
    assertEquals("first", exchange.body());
  }

  @Test
  void aSecondResponseIsAlsoCountedInProduction() {
    exchange.setting("env", "production");
    res.end();
    IllegalStateException rejected = assertThrows(IllegalStateException.class, res::end);
    assertNull(rejected.getCause());
    assertThrows(IllegalStateException.class, () -> res.write("x"));
    assertEquals(2, exchange.appState.counters().duplicateResponses());
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  void headersAreRejectedAfterTheResponseHasStarted() throws Exception {
    res.write("x");
    assertThrows(IllegalStateException.class, () -> res.set("X-Late", "1"));
    assertThrows(IllegalStateException.class, () -> res.append("X-Late", "1"));
    assertThrows(IllegalStateException.class, () -> res.remove("X-Late"));
  }

  @Test
  void exactlyOneOfManyThreadsResponds() throws Exception {
    AtomicInteger rejected = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String body = "body" + i;
      Thread thread =
          new Thread(
              () -> {
                try {
                  go.await();
                  res.end(body);
                } catch (IllegalStateException e) {
                  rejected.incrementAndGet();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      threads.add(thread);
    }
    go.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(7, rejected.get());
    assertEquals(7, exchange.appState.counters().duplicateResponses());
    assertEquals(List.of("start", "end"), exchange.calls);
  }

  @Test
  @DisplayName("DOS-03: a writer waits while more than 64 KiB are unsent")
  void aWriterWaitsAboveTheHighWaterMarkUntilTheClientHasRead() throws Exception {
    exchange.slow = true;
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread writer = writer(failure, 64 * KIB, 1, 1);
    awaitWaiting(writer);
    assertEquals(2, exchange.waiting(), "the third chunk waits");
    exchange.slow = false;
    exchange.drain(null);
    writer.join();
    assertNull(failure.get());
    assertEquals(64 * KIB + 2, exchange.bytes().length);
  }

  @Test
  void aWriterIsWokenWhenItsBytesAreSent() throws Exception {
    exchange.slow = true;
    int pieces = 500;
    int[] sizes = new int[pieces];
    Arrays.fill(sizes, 65 * KIB);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread writer = writer(failure, sizes);
    for (int i = 0; i < pieces; i++) {
      while (exchange.waiting() == 0) {
        Thread.onSpinWait();
      }
      exchange.drain(null);
    }
    writer.join();
    assertNull(failure.get());
  }

  @Test
  void aWaitingWriterFailsWhenTheClientDisconnects() throws Exception {
    exchange.slow = true;
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread writer = writer(failure, 64 * KIB, 1, 1);
    awaitWaiting(writer);
    exchange.drain(new IOException("reset"));
    writer.join();
    assertInstanceOf(ClientDisconnectedException.class, failure.get());
    assertThrows(ClientDisconnectedException.class, () -> res.write("more"));
  }

  @Test
  void allWaitingWritersWakeWhenTheClientHasReadEnough() throws Exception {
    exchange.slow = true;
    res.write("");
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(writer(failure, 65 * KIB, 1));
      awaitWaiting(writers.get(i));
    }
    exchange.slow = false;
    exchange.drain(null);
    for (Thread writer : writers) {
      writer.join();
    }
    assertNull(failure.get());
    assertEquals(4 * (65 * KIB + 1), exchange.bytes().length);
  }

  @Test
  void allWaitingWritersFailWhenTheClientDisconnects() throws Exception {
    exchange.slow = true;
    res.write("");
    List<AtomicReference<@Nullable Throwable>> failures = new ArrayList<>();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      failures.add(new AtomicReference<>());
      writers.add(writer(failures.get(i), 65 * KIB));
      awaitWaiting(writers.get(i));
    }
    exchange.drain(new IOException("reset"));
    for (int i = 0; i < 4; i++) {
      writers.get(i).join();
      assertInstanceOf(ClientDisconnectedException.class, failures.get(i).get());
    }
  }

  @Test
  void aWriterContinuesEvenIfAnotherHasWrittenMoreSince() throws Exception {
    exchange.slow = true;
    res.write("");
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread first = writer(failure, 65 * KIB);
    awaitWaiting(first);
    Thread second = writer(failure, 65 * KIB, 65 * KIB);
    awaitWaiting(second);
    exchange.drain(null);
    while (exchange.waiting() == 0) {
      Thread.onSpinWait();
    }
    first.join();
    awaitWaiting(second);
    exchange.drain(null);
    second.join();
    assertNull(failure.get());
  }

  @Test
  void chunksOfSeveralThreadsAreSentWholeAndNoneAfterTheEnd() throws Exception {
    res.write("");
    List<Thread> threads = new ArrayList<>();
    AtomicInteger rejected = new AtomicInteger();
    for (int i = 0; i < 4; i++) {
      String piece = String.valueOf((char) ('a' + i)).repeat(7);
      threads.add(
          new Thread(
              () -> {
                try {
                  while (true) {
                    res.write(piece);
                  }
                } catch (IllegalStateException e) {
                  rejected.incrementAndGet();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    threads.forEach(Thread::start);
    while (exchange.bytes().length < KIB) {
      Thread.onSpinWait();
    }
    res.end("END");
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(4, rejected.get());
    String body = exchange.body();
    assertEquals("END", body.substring(body.length() - 3));
    for (int i = 0; i < body.length() - 3; i += 7) {
      assertEquals(body.substring(i, i + 1).repeat(7), body.substring(i, i + 7));
    }
    assertEquals("end", exchange.calls.get(exchange.calls.size() - 1));
  }

  @Test
  void anInterruptDoesNotWakeAWriterAndRemainsSet() throws Exception {
    exchange.slow = true;
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread writer = writer(failure, 65 * KIB);
    awaitWaiting(writer);
    writer.interrupt();
    assertTrue(writer.isAlive());
    exchange.drain(null);
    writer.join();
    assertEquals("interrupted", String.valueOf(failure.get().getMessage()));
  }

  /** Writes chunks of these sizes on a new thread; an interrupt is stored as a failure. */
  private Thread writer(AtomicReference<@Nullable Throwable> failure, int... sizes) {
    Thread writer =
        new Thread(
            () -> {
              try {
                for (int size : sizes) {
                  res.write(new byte[size]);
                }
                if (Thread.interrupted()) {
                  failure.set(new Exception("interrupted"));
                }
              } catch (IOException e) {
                failure.set(e);
              }
            });
    writer.start();
    return writer;
  }

  private static void awaitWaiting(Thread thread) {
    while (LockSupport.getBlocker(thread) == null) {
      assertTrue(thread.isAlive(), "the writer did not wait");
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("DOS-03: a thread that must not block may buffer 1 MiB")
  void aThreadThatMustNotBlockMayBufferOneMebibyte() throws Exception {
    exchange.mayBlock = false;
    exchange.slow = true;
    res.write(new byte[KIB * KIB - 1]);
    res.write(new byte[1]);
    String message = assertThrows(IOException.class, () -> res.write(new byte[1])).getMessage();
    assertTrue(message.contains("1048576"), message);
    exchange.drain(null);
    res.write(new byte[1]);
    assertEquals(KIB * KIB + 1, exchange.bytes().length);
  }

  @Test
  void flushHeadSendsTheHeadAloneOnce() {
    res.flushHeaders();
    res.flushHeaders();
    assertEquals(List.of("start", "write"), exchange.calls);
    assertTrue(res.headersSent());
    assertFalse(res.finished());
    res.end("x");
    assertTrue(res.finished());
  }

  @Test
  void flushSendsTheHeadOfAResponseWithoutABodyOnce() throws Exception {
    exchange.method = "HEAD";
    Response early = exchange.response();
    early.flushHeaders();
    assertEquals(List.of("start", "write"), exchange.calls);
    early.write("x").flush().end();
    assertEquals(List.of("start", "write", "end"), exchange.calls);
    FakeExchange other = FakeExchange.of("HEAD", "/");
    Response late = other.response().write("x");
    assertEquals(List.of(), other.calls);
    late.flush().flush().end("y");
    assertEquals(List.of("start", "write", "end"), other.calls);
    assertEquals("", exchange.body() + other.body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void aWriteWithoutABodyFailsAfterTheClientHasDisconnected(String method) throws Exception {
    FakeExchange client = FakeExchange.of(method, "/");
    Response endless = client.response().status(method.equals("GET") ? 204 : 200);
    endless.write("1").write("2");
    client.finish(new ClientDisconnectedException(null));
    assertThrows(ClientDisconnectedException.class, () -> endless.write("3"));
    assertEquals(List.of(), client.calls);
  }

  @Test
  void offerDropsTheChunkOfAResponseWithoutABody() throws Exception {
    FakeExchange client = FakeExchange.of("HEAD", "/");
    Response head = client.response();
    head.flushHeaders();
    List<String> outcomes = new ArrayList<>();
    head.offer(new byte[] {'x'}, failure -> outcomes.add("failure " + failure));
    head.end();
    assertEquals(List.of("failure null"), outcomes);
    assertEquals("", client.body());
  }

  @Test
  void closingTheStreamEndsTheResponseOnceAndRejectsWrites() throws Exception {
    OutputStream stream = res.outputStream();
    byte[] reused = {'a', 'b', 'c'};
    stream.write(reused, 1, 1);
    stream.write('x');
    stream.close();
    stream.close();
    assertThrows(IOException.class, () -> stream.write(1));
    assertEquals("bx", exchange.body());
    assertEquals(List.of("start", "write", "write", "end"), exchange.calls);
    assertEquals(0, exchange.appState.counters().duplicateResponses());
  }

  @Test
  void finishHooksRunOnceInOrderAndLateOnesImmediately() {
    List<String> order = new ArrayList<>();
    res.onFinish(() -> order.add("first"));
    res.onFinish(() -> order.add("second"));
    res.end();
    assertEquals(List.of(), order);
    exchange.finish(null);
    exchange.finish(null);
    res.onFinish(() -> order.add("later"));
    assertEquals(List.of("first", "second", "later"), order);
  }
}
