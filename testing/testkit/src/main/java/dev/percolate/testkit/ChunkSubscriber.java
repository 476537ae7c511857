package dev.percolate.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Requests one chunk of a body at a time, every second time from another thread. */
final class ChunkSubscriber implements Flow.Subscriber<ByteBuffer> {

  private final AtomicInteger most;
  private final Consumer<String> then;
  private final AtomicInteger demanded = new AtomicInteger();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Flow.@Nullable Subscription subscription;
  private int pieces;

  /**
   * Creates a subscriber.
   *
   * @param most set to the maximum number of chunks that arrived for a demand of one
   * @param then receives the body, or the text of the error
   */
  ChunkSubscriber(AtomicInteger most, Consumer<String> then) {
    this.most = most;
    this.then = then;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    demand(subscription);
  }

  @Override
  public void onNext(ByteBuffer piece) {
    most.accumulateAndGet(1 - demanded.decrementAndGet(), Math::max);
    while (piece.hasRemaining()) {
      bytes.write(piece.get());
    }
    Flow.Subscription known = subscription;
    if (known == null) {
      return;
    }
    if (++pieces % 2 == 0) {
      demand(known);
    } else {
      Thread other = new Thread(() -> demand(known), "other");
      other.setDaemon(true);
      other.start();
    }
  }

  @Override
  public void onError(Throwable error) {
    then.accept(error.toString());
  }

  @Override
  public void onComplete() {
    then.accept(bytes.toString(StandardCharsets.UTF_8));
  }

  private void demand(Flow.Subscription known) {
    demanded.incrementAndGet();
    known.request(1);
  }
}
