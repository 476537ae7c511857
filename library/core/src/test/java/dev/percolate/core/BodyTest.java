package dev.percolate.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.engine.SerialExecutor;
import dev.percolate.http.HttpError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BodyTest {

  private final FakeExchange exchange = new FakeExchange();
  private final List<String> seen = new ArrayList<>();

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes).toString();
  }

  private void give(String... pieces) {
    for (String piece : pieces) {
      exchange.give(piece);
    }
  }

  /** Records its calls. Stops after the chunk {@code stop}, and fails at {@code fail}. */
  private final class Noting implements ChunkReader {

    @Override
    public boolean chunk(ByteBuffer bytes) throws IOException {
      String piece = text(bytes);
      seen.add(piece);
      if (piece.equals("fail")) {
        throw new IOException("the reader's");
      }
      return !piece.equals("stop");
    }

    @Override
    public void done(@Nullable Throwable failure) {
      seen.add(failure == null ? "done" : "failed: " + failure.getMessage());
    }
  }

  @Test
  void ifThreadsParkTheReaderIsCalledWithinTheCall() {
    exchange.executor = new SerialExecutor(Runnable::run, true);
    give("a", "b");
    exchange.giveEnd(null);
    exchange.executor.execute(
        () -> {
          exchange.request().read(new Noting());
          seen.add("returned");
        });
    assertEquals(List.of("a", "b", "done", "returned"), seen);
  }

  @Test
  void aParkedHandlerWaitsForEachChunk() throws Exception {
    exchange.executor = new SerialExecutor(Runnable::run, true);
    Thread step =
        new Thread(() -> exchange.executor.execute(() -> exchange.request().read(new Noting())));
    step.start();
    give("a");
    Thread.sleep(20);
    give("b");
    exchange.giveEnd(new ClientDisconnectedException(null));
    step.join();
    assertEquals(List.of("a", "b", "failed: client disconnected"), seen);
  }

  @Test
  void otherwiseTheReaderIsCalledLaterOnTheExecutor() {
    Queue<Runnable> base = new ArrayDeque<>();
    exchange.executor = new SerialExecutor(base::add, false);
    give("a");
    exchange.giveEnd(null);
    exchange.executor.execute(
        () -> {
          exchange.request().read(new Noting());
          seen.add("returned");
        });
    while (!base.isEmpty()) {
      base.remove().run();
    }
    assertEquals(List.of("returned", "a", "done"), seen);
  }

  @Test
  void anotherThreadNeverParksInRead() {
    exchange.executor = new SerialExecutor(Runnable::run, true);
    exchange.request().read(new Noting());
    assertEquals(List.of(), seen);
    give("a");
    exchange.giveEnd(null);
    assertEquals(List.of("a", "done"), seen);
  }

  @Test
  void aReaderThatStopsOrFailsLeavesTheRestUnread() {
    for (boolean parks : new boolean[] {true, false}) {
      for (String last : List.of("stop", "fail")) {
        FakeExchange one = new FakeExchange();
        one.executor = new SerialExecutor(Runnable::run, parks);
        one.give("a");
        one.give(last);
        one.give("rest");
        one.executor.execute(() -> one.request().read(new Noting()));
        String end = last.equals("stop") ? "done" : "failed: the reader's";
        assertEquals(List.of("a", last, end), seen);
        assertEquals(2, one.reads);
        seen.clear();
      }
    }
  }

  @Test
  void aFailureOfTheBodyReachesTheReaderUnchanged() {
    exchange.giveEnd(new HttpError(400, "bad chunk"));
    exchange.request().read(new Noting());
    assertEquals(List.of("failed: bad chunk"), seen);
  }

  @Test
  void aBodyCanBeReadOnlyOnce() {
    List<Consumer<Request>> ways =
        List.of(
            req -> req.read(new Noting()),
            req -> assertFalse(req.inputStream(1).markSupported()),
            req -> assertTrue(req.publisher() != null));
    for (Consumer<Request> first : ways) {
      for (Consumer<Request> second : ways) {
        Request req = new FakeExchange().request();
        assertTrue(RequestControl.readable(req));
        first.accept(req);
        assertFalse(RequestControl.readable(req));
        HttpError error = assertThrows(HttpError.class, () -> second.accept(req));
        assertEquals("500 stream.not.readable", error.status() + " " + error.type());
      }
    }
  }

  @Test
  void aBodyThatIsMarkedAsReadCannotBeRead() {
    Request req = exchange.request();
    RequestControl.readable(req, false);
    assertThrows(HttpError.class, () -> req.read(new Noting()));
    RequestControl.readable(req, true);
    req.read(new Noting());
  }

  @Test
  void theStreamReturnsAllChunksAndSkipsEmptyOnes() throws Exception {
    give("ab", "", "c");
    exchange.giveEnd(null);
    InputStream in = exchange.request().inputStream(3);
    assertEquals('a', in.read());
    assertEquals(1, in.available());
    assertEquals("bc", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    assertEquals(-1, in.read());
    assertEquals(4, exchange.reads, "nothing is read after the end");
  }

  @Test
  void theStreamFailsWith413BeyondItsLimit() throws Exception {
    give("abc", "de");
    InputStream in = exchange.request().inputStream(4);
    assertEquals("abc", new String(in.readNBytes(3), StandardCharsets.UTF_8));
    HttpError error = assertThrows(HttpError.class, in::read);
    assertEquals("413 entity.too.large", error.status() + " " + error.type());
    assertEquals(List.of(4L, 5L), List.of(error.field("limit"), error.field("received")));
    exchange.giveEnd(null);
    assertThrows(HttpError.class, in::read);
  }

  @Test
  void theSettingLimitsTheStreamUnlessALimitIsGiven() {
    exchange.setting("stream limit", 1L);
    give("ab");
    assertThrows(HttpError.class, () -> exchange.request().inputStream().read());
  }

  @Test
  void theStreamThrowsTheFailureOfTheBody() {
    ClientDisconnectedException gone = new ClientDisconnectedException(null);
    exchange.giveEnd(gone);
    InputStream in = exchange.request().inputStream(9);
    assertSame(gone, assertThrows(IOException.class, in::read));
  }

  @Test
  void theStreamCannotBeReadOnAnEventLoop() {
    exchange.mayBlock = false;
    InputStream in = exchange.request().inputStream(9);
    assertThrows(IllegalStateException.class, in::read);
    assertEquals(0, exchange.reads);
  }

  /** Records its calls, and requests or cancels on demand. */
  private class Subscriber implements Flow.Subscriber<ByteBuffer> {

    private Flow.@Nullable Subscription subscription;

    void request(long n) {
      if (subscription != null) {
        subscription.request(n);
      }
    }

    void cancel() {
      if (subscription != null) {
        subscription.cancel();
      }
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
    }

    @Override
    public void onNext(ByteBuffer piece) {
      seen.add(text(piece));
    }

    @Override
    public void onError(Throwable failure) {
      seen.add("failed: " + failure.getMessage());
    }

    @Override
    public void onComplete() {
      seen.add("done");
    }
  }

  private Subscriber subscriber(long limit) {
    Subscriber subscriber = new Subscriber();
    exchange.setting("stream limit", limit);
    exchange.request().publisher().subscribe(subscriber);
    return subscriber;
  }

  @Test
  void thePublisherReadsOnDemandOnly() {
    give("a", "b", "c");
    exchange.giveEnd(null);
    Subscriber subscriber = subscriber(9);
    assertEquals(0, exchange.reads);
    subscriber.request(2);
    assertEquals(List.of("a", "b"), seen);
    assertEquals(2, exchange.reads);
    subscriber.request(Long.MAX_VALUE);
    assertEquals(List.of("a", "b", "c", "done"), seen);
  }

  @Test
  void nothingIsPublishedBeforeOnSubscribeReturns() {
    give("a", "b");
    exchange.giveEnd(null);
    exchange.request().publisher().subscribe(new Eager(2));
    assertEquals(
        List.of("subscribed", "a", "b", "failed: request(n): n must be positive, was 0"), seen);
  }

  @Test
  void aSubscriberThatCancelsWhileItSubscribesGetsNothing() {
    give("a");
    exchange.request().publisher().subscribe(new Eager(-1));
    assertEquals(List.of("subscribed"), seen);
    assertEquals(0, exchange.reads);
  }

  /** Requests some chunks and then none in {@code onSubscribe}, or cancels first. */
  private final class Eager extends Subscriber {

    private final int pieces;

    Eager(int pieces) {
      this.pieces = pieces;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      if (pieces < 0) {
        given.cancel();
      }
      given.request(Math.abs(pieces));
      given.request(0);
      seen.add("subscribed");
    }
  }

  @Test
  void demandAddsUpWithoutOverflow() {
    Subscriber subscriber = subscriber(9);
    subscriber.request(Long.MAX_VALUE);
    subscriber.request(Long.MAX_VALUE);
    give("a", "b");
    exchange.giveEnd(null);
    assertEquals(List.of("a", "b", "done"), seen);
  }

  @Test
  void aRequestOfZeroChunksFails() {
    subscriber(9).request(0);
    assertEquals(List.of("failed: request(n): n must be positive, was 0"), seen);
  }

  @Test
  void thePublisherHasTheSameLimit() {
    give("abc", "de");
    exchange.giveEnd(null);
    subscriber(4).request(9);
    assertEquals(List.of("abc", "failed: request entity too large"), seen);
  }

  @Test
  void nothingIsReadOrPublishedAfterCancel() {
    Subscriber subscriber = subscriber(9);
    subscriber.request(5);
    subscriber.cancel();
    give("a");
    assertEquals(List.of(), seen);
    assertEquals(1, exchange.reads);
  }

  @Test
  void aSecondSubscriberIsRejected() {
    Flow.Publisher<ByteBuffer> publisher = exchange.request().publisher();
    Subscriber first = new Subscriber();
    publisher.subscribe(first);
    Subscriber second = new Subscriber();
    publisher.subscribe(second);
    assertEquals(List.of("failed: a body can have only one subscriber"), seen);
    give("a");
    second.request(1);
    assertEquals(0, exchange.reads);
    first.request(1);
    assertEquals("a", seen.get(1));
  }
}
