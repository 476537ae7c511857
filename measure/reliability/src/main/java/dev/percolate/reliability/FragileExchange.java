package dev.percolate.reliability;

import dev.percolate.benchmarks.DiscardingExchange;
import dev.percolate.engine.ClientGone;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange whose client may hang up at any time, and which counts what is done to its answer.
 */
final class FragileExchange extends DiscardingExchange {

  /** Holds why there was no end of the answer; null if there was one. */
  private final CompletableFuture<@Nullable Throwable> over = new CompletableFuture<>();

  private final Runnable whenOver;
  private int starts;
  private int ends;

  FragileExchange(Executor executor, Runnable whenOver) {
    super("/", executor);
    this.whenOver = whenOver;
  }

  @Override
  public synchronized void start(int status, Headers headers) {
    starts++;
  }

  @Override
  public void write(ByteBuffer bytes, OnWritten callback) {
    callback.written(failure());
  }

  @Override
  public void end(ByteBuffer last) {
    synchronized (this) {
      ends++;
    }
    finish(null);
  }

  @Override
  public void abort() {
    finish(new IOException("aborted"));
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a callback that fails leaves its request open
  public void onEnd(OnEnd callback) {
    over.thenAccept(callback::ended);
  }

  /** Takes the client away. */
  void hangUp() {
    finish(new ClientGone(null));
  }

  /** Tells whether there was one answer, or none because the client or the server gave up. */
  synchronized boolean isSound() {
    return starts <= 1 && ends <= 1 && (failure() != null || (starts == 1 && ends == 1));
  }

  boolean isAnswered() {
    return over.isDone() && failure() == null;
  }

  private @Nullable Throwable failure() {
    return over.getNow(null);
  }

  private void finish(@Nullable Throwable cause) {
    if (over.complete(cause)) {
      whenOver.run();
    }
  }
}
