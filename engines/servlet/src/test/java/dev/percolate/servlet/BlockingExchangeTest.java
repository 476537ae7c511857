package dev.percolate.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.Exchange;
import dev.percolate.http.Headers;
import dev.percolate.http.HttpError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BlockingExchangeTest {

  private final Streams streams = new Streams();

  @TempDir Path folder;

  /** Streams in memory. */
  private static final class Streams implements RequestStreams {

    private final List<String> events = new ArrayList<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private String method = "GET";
    private Headers headers = new Headers();
    private InputStream body = new ByteArrayInputStream(new byte[0]);
    private @Nullable IOException broken;
    private Runnable written = () -> {};
    private boolean committed;
    private @Nullable IOException unflushable;

    @Override
    public String method() {
      return method;
    }

    @Override
    public String target() {
      return "/";
    }

    @Override
    public String httpVersion() {
      return "1.1";
    }

    @Override
    public Headers headers() {
      return headers;
    }

    @Override
    public String remoteAddress() {
      return "127.0.0.1";
    }

    @Override
    public boolean secure() {
      return false;
    }

    @Override
    public InputStream body() {
      return body;
    }

    @Override
    public boolean upgrades() {
      return false;
    }

    @Override
    public ServletConnection upgrade(Headers lines, Runnable taken, Exchange.OnEnd gone) {
      throw new IllegalStateException("not upgradable");
    }

    @Override
    public boolean committed() {
      return committed;
    }

    @Override
    public OutputStream start(int status, Headers headers, long length) {
      events.add(status + ", length " + length);
      return new OutputStream() {
        @Override
        public void write(int b) throws IOException {
          if (broken != null) {
            throw broken;
          }
          sent.write(b);
          written.run();
        }

        @Override
        public void flush() throws IOException {
          if (unflushable != null) {
            throw unflushable;
          }
          committed = true;
          events.add("flush");
        }

        @Override
        public void close() {
          events.add("close");
        }
      };
    }
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private BlockingExchange exchange() {
    return new BlockingExchange(streams);
  }

  private void posted(String body) {
    streams.method = "POST";
    streams.headers = Headers.of("Content-Length", Integer.toString(body.length()));
    streams.body = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void oneThreadRunsAllTasksUntilTheResponseIsComplete() throws Exception {
    List<Thread> threads = new ArrayList<>();
    BlockingExchange exchange = exchange();
    exchange.serve(
        begun -> {
          threads.add(Thread.currentThread());
          CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS)
              .execute(() -> begun.executor().execute(() -> answerLate(begun, threads)));
        });
    assertEquals(List.of(Thread.currentThread(), Thread.currentThread()), threads);
    assertTrue(exchange.isOver());
    exchange.throwIfCut();
    assertEquals("late", streams.sent.toString(StandardCharsets.UTF_8));
    assertEquals(List.of("200, length 4", "flush", "close"), streams.events);
  }

  private static void answerLate(Exchange exchange, List<Thread> threads) {
    threads.add(Thread.currentThread());
    exchange.start(200, new Headers());
    exchange.end(bytes("late"));
  }

  @Test
  void aStreamedResponseHasALengthOnlyIfItsHeadersHaveOne() {
    exchange()
        .serve(
            begun -> {
              begun.start(200, new Headers());
              begun.write(bytes("a"), failure -> assertNull(failure));
              begun.end(bytes("b"));
            });
    exchange()
        .serve(
            begun -> {
              begun.start(200, Headers.of("Content-Length", "2"));
              begun.write(bytes("a"), failure -> assertNull(failure));
              begun.end(bytes("b"));
            });
    assertEquals("200, length -1", streams.events.get(0));
    assertEquals("200, length 2", streams.events.get(4));
  }

  @Test
  void aResponseThatCannotHaveABodyHasTheLengthZero() {
    streams.method = "HEAD";
    exchange()
        .serve(
            begun -> {
              begun.start(200, Headers.of("Content-Length", "7"));
              begun.end(bytes(""));
            });
    assertEquals("200, length 0", streams.events.get(0));
  }

  @Test
  void aBodyIsReadInChunksUpToItsEnd() {
    posted("body");
    List<String> read = new ArrayList<>();
    BlockingExchange exchange = exchange();
    assertTrue(exchange.hasBody());
    for (int i = 0; i < 2; i++) {
      exchange.read(
          (chunk, failure) ->
              read.add(
                  chunk == null ? "end " + failure : StandardCharsets.UTF_8.decode(chunk) + ""));
    }
    assertEquals(List.of("body", "end null"), read);
  }

  @Test
  void aSlowClientTimesOutAndADisconnectedOneEndsTheExchange() {
    posted("four");
    streams.body = failing(new SocketTimeoutException("slow"));
    BlockingExchange slow = exchange();
    slow.read(
        (chunk, failure) -> assertEquals(408, assertInstanceOf(HttpError.class, failure).status()));
    assertFalse(slow.isOver());
    IOException reset = new IOException("reset");
    streams.body = failing(reset);
    BlockingExchange gone = exchange();
    gone.read((chunk, failure) -> assertInstanceOf(ClientDisconnectedException.class, failure));
    assertTrue(gone.isOver());
    assertSame(reset, assertThrows(IOException.class, gone::throwIfCut));
  }

  private static InputStream failing(IOException failure) {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        throw failure;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        throw failure;
      }
    };
  }

  @Test
  void anUnreadBodyIsDiscardedAfterAResponseOfKnownLength() throws Exception {
    posted("unread");
    exchange()
        .serve(
            begun -> {
              begun.start(200, new Headers());
              begun.end(bytes("answer"));
            });
    assertEquals(-1, streams.body.read());
    assertEquals(List.of("200, length 6", "flush", "close"), streams.events);
  }

  @Test
  void endCallbacksDoNotWaitForAnUnreadBody() throws Exception {
    posted("unread");
    streams.body =
        new InputStream() {
          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] target, int offset, int length) {
            streams.events.add("discard");
            return -1;
          }
        };
    for (boolean file : new boolean[] {false, true}) {
      streams.events.clear();
      BlockingExchange exchange = exchange();
      exchange.onEnd(
          failure -> exchange.executor().executeHere(() -> streams.events.add("hook " + failure)));
      exchange.serve(
          begun -> {
            begun.start(200, Headers.of("Content-Length", "1"));
            if (file) {
              begun.sendFile(channelOf("x"), 0, 1);
            } else {
              begun.end(bytes("x"));
            }
            streams.events.add("step returns");
          });
      assertTrue(exchange.isOver());
      assertEquals(
          List.of("200, length 1", "flush", "step returns", "hook null", "discard", "close"),
          streams.events);
    }
  }

  @Test
  void endCallbacksOfAResponseSentByOtherCodeDoNotWaitForTheBody() throws Exception {
    posted("unread");
    BlockingExchange exchange = exchange();
    exchange.onEnd(
        failure -> {
          streams.events.add("end " + failure);
          assertFalse(exchange.isOver());
        });
    exchange.begin(begun -> begun.start(200, new Headers()));
    assertTrue(exchange.detach(Runnable::run, failure -> streams.events.add("engine " + failure)));
    exchange.end(bytes("x"));
    assertTrue(exchange.isOver());
    assertEquals(
        List.of("200, length 1", "flush", "end null", "close", "engine null"), streams.events);
    assertEquals(-1, streams.body.read());
  }

  @Test
  void aClientThatDisconnectsDuringTheLastWriteHasGotTheResponse() throws Exception {
    BlockingExchange exchange = exchange();
    List<Integer> statuses = new ArrayList<>();
    exchange.onEnd(failure -> statuses.add(exchange.sentStatus(200)));
    streams.written = exchange::abort;
    exchange.serve(
        begun -> {
          begun.start(200, new Headers());
          begun.end(bytes("x"));
        });
    assertEquals(List.of(200), statuses);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aResponseWhoseFlushFailsIsSentIfTheContainerHasSentIt(boolean committed) throws Exception {
    BlockingExchange exchange = exchange();
    List<Integer> statuses = new ArrayList<>();
    exchange.onEnd(failure -> statuses.add(exchange.sentStatus(200)));
    streams.committed = committed;
    streams.unflushable = new IOException("closed");
    exchange.serve(
        begun -> {
          begun.start(200, new Headers());
          begun.end(bytes("x"));
        });
    assertEquals(List.of(committed ? 200 : 0), statuses);
  }

  private FileChannel channelOf(String content) {
    try {
      Path file = Files.writeString(folder.resolve("content"), content);
      return FileChannel.open(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aWriterLearnsOfADisconnectAndTheEndCallbackRunsOnce() {
    streams.broken = new IOException("broken pipe");
    List<Object> told = new ArrayList<>();
    BlockingExchange exchange = exchange();
    exchange.onEnd(failure -> told.add("end " + failure));
    exchange.serve(
        begun -> {
          begun.start(200, new Headers());
          begun.write(bytes("a"), failure -> told.add(String.valueOf(failure)));
          begun.write(bytes("b"), failure -> told.add(String.valueOf(failure)));
          begun.end(bytes("c"));
        });
    String gone = new ClientDisconnectedException(null).toString();
    assertEquals(List.of("end " + gone, gone, gone), told);
    assertThrows(IOException.class, exchange::throwIfCut);
  }

  @Test
  void anAbortClosesTheConnection() {
    BlockingExchange exchange = exchange();
    exchange.serve(Exchange::abort);
    assertTrue(exchange.isOver());
    assertThrows(IOException.class, exchange::throwIfCut);
  }

  @Test
  void otherThreadsContinueAfterTheThreadHasLeft() throws Exception {
    BlockingExchange exchange = exchange();
    List<String> events = new ArrayList<>();
    exchange.begin(begun -> events.add("begun"));
    List<Runnable> taken = new ArrayList<>();
    assertTrue(exchange.detach(taken::add, failure -> events.add("engine " + failure)));
    exchange.executor().execute(() -> events.add("elsewhere"));
    assertEquals(1, taken.size());
    taken.get(0).run();
    exchange.onEnd(failure -> events.add("hooks " + failure));
    exchange.over(null);
    exchange.over(null);
    assertEquals(List.of("begun", "elsewhere", "hooks null", "engine null"), events);
    exchange.throwIfCut();
    assertFalse(exchange.detach(taken::add, failure -> events.add("late")));
  }

  @Test
  void aFileIsCopiedAndAShorterFileClosesTheConnection() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "0123456789");
    BlockingExchange part = exchange();
    FileChannel whole = FileChannel.open(file);
    part.serve(
        begun -> {
          begun.start(206, Headers.of("Content-Length", "5"));
          begun.sendFile(whole, 2, 5);
        });
    part.throwIfCut();
    assertEquals("23456", streams.sent.toString(StandardCharsets.UTF_8));
    assertFalse(whole.isOpen());
    BlockingExchange tooShort = exchange();
    FileChannel end = FileChannel.open(file);
    tooShort.serve(
        begun -> {
          begun.start(200, Headers.of("Content-Length", "20"));
          begun.sendFile(end, 0, 20);
        });
    assertThrows(IOException.class, tooShort::throwIfCut);
    assertFalse(end.isOpen());
  }
}
