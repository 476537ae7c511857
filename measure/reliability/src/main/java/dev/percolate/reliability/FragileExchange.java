package dev.percolate.reliability;

import dev.percolate.benchmarks.DiscardingExchange;
import dev.percolate.engine.ClientDisconnectedException;
import dev.percolate.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * An exchange whose client may disconnect at any time, and that counts the starts and ends of its
 * response.
 */
final class FragileExchange extends DiscardingExchange {

  /** Completed at the end of the response: with null, or with the reason why it did not end. */
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
  @SuppressWarnings("FutureReturnValueIgnored") // a callback that throws leaves its request open
  public void onEnd(OnEnd callback) {
    over.thenAccept(callback::ended);
  }

  /** Disconnects the client. */
  void disconnect() {
    finish(new ClientDisconnectedException(null));
  }

  /** Returns true if there was one response, or none because the client or the server gave up. */
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
